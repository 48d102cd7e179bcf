import type { Caller } from "../platform/auth/caller.ts";
import { isAllowed, type Need } from "./kit/allowed.tsx";

/** Path of the signed-in user's account page. */
export const ACCOUNT = "/admin/account";
export const TWO_FACTOR = `${ACCOUNT}/two-factor`;

export const HEALTH = "/admin/health";

const SETTINGS = "/admin/settings";

/** A page that the menu or the settings link to. */
type MenuEntry = { path: string; name: string; needs: Need };

/** A section in the panel's menu, below `heading` if it starts a group; `icon` is a path on a grid of 24. */
export type Section = MenuEntry & {
  icon: string;
  heading?: string;
  /** Entries below the section's, shown while one of its pages is. */
  pages?: readonly MenuEntry[];
  /** Addresses of pages that belong to the section without an entry. */
  covers?: readonly string[];
};

/** A page of the settings with its card. */
type SettingEntry = MenuEntry & { about: string };

/** The cards of the settings page, by group. */
export const settingGroups: readonly { title: string; cards: readonly SettingEntry[] }[] = [
  {
    title: "Your shop",
    cards: [
      {
        path: "/admin/shop",
        name: "Shop",
        needs: "settings:read",
        about: "Name, address, time zone, and whether prices include tax",
      },
      {
        path: "/admin/payments",
        name: "Payments",
        needs: "settings:read",
        about: "How customers pay: cards, PayPal, bank transfer, invoice or cash",
      },
      {
        path: "/admin/shipping-zones",
        name: "Shipping",
        needs: "settings:read",
        about: "Shipping zones, with their methods and prices",
      },
      {
        path: "/admin/tax-rates",
        name: "Taxes",
        needs: "settings:read",
        about: "Tax rates by country, region and product class",
      },
      {
        path: "/admin/pages",
        name: "Pages",
        needs: "settings:read",
        about: "Terms, privacy, imprint, withdrawal, returns and shipping, which the shop and checkout link to",
      },
      {
        path: "/admin/set-up",
        name: "Set up shipping and taxes",
        needs: "settings:write",
        about: "Zones and tax rates of your country in one step",
      },
      {
        path: "/admin/emails",
        name: "E-mails",
        needs: "administrators",
        about: "Their design, texts and languages, and what was sent",
      },
    ],
  },
  {
    title: "Sales channels",
    cards: [
      {
        path: "/admin/agents",
        name: "Shopping assistants",
        needs: "settings:read",
        about: "Which agents, such as AI chats, may buy for their users",
      },
      {
        path: "/admin/feeds",
        name: "Product feeds",
        needs: "settings:read",
        about: "Your products for Google and OpenAI, each at a secret address",
      },
    ],
  },
  {
    title: "People",
    cards: [
      {
        path: ACCOUNT,
        name: "Your account",
        needs: "staff",
        about: "Your name, password, second factor and sessions",
      },
      {
        path: "/admin/staff",
        name: "Staff",
        needs: "administrators",
        about: "People who run the shop, their roles, and invitations",
      },
      {
        path: "/admin/audit-log",
        name: "Audit log",
        needs: "administrators",
        about: "Every change by staff and API keys, with the values before and after",
      },
    ],
  },
  {
    title: "Data",
    cards: [
      {
        path: "/admin/backups",
        name: "Backups",
        needs: "settings:read",
        about: "Daily copies of the shop's data, files and images",
      },
      {
        path: "/admin/jobs",
        name: "Jobs",
        needs: "jobs:read",
        about: "Imports and bulk actions: progress, failures and undo",
      },
      {
        path: "/admin/imports/products",
        name: "Import products",
        needs: "products:write",
        about: "From a Shopify or WooCommerce export, or your own file",
      },
      {
        path: "/admin/imports/customers",
        name: "Import customers",
        needs: "users:write",
        about: "From a CSV or JSON file",
      },
    ],
  },
];

/** The sections of the menu before the settings. */
export const mainSections: readonly Section[] = [
  { path: "/admin", name: "Home", needs: "orders:read", icon: "M4 11l8-7 8 7v9h-5v-6H9v6H4z" },
  {
    path: "/admin/orders",
    name: "Orders",
    needs: "shipments:read",
    icon: "M6 3h12v18l-3-2-3 2-3-2-3 2zm3 5h6m-6 4h6",
    pages: [{ path: "/admin/returns", name: "Returns", needs: "orders:read" }],
  },
  {
    path: "/admin/products",
    name: "Products",
    needs: "products:read_all",
    icon: "M12 3 4 7v10l8 4 8-4V7zm-8 4 8 4 8-4m-8 4v10",
    pages: [
      { path: "/admin/inventory", name: "Inventory", needs: "products:read_all" },
      { path: "/admin/categories", name: "Categories", needs: "products:read_all" },
      { path: "/admin/files", name: "Files", needs: "files:read_all" },
    ],
    covers: ["/admin/imports/products", "/admin/uploads", "/admin/images"],
  },
  {
    path: "/admin/customers",
    name: "Customers",
    needs: "users:read",
    icon: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm-8 8a8 8 0 0 1 16 0",
    pages: [
      { path: "/admin/packages", name: "Packages", needs: "packages:read" },
      { path: "/admin/license-keys", name: "License keys", needs: "packages:read" },
      { path: "/admin/gift-cards", name: "Gift cards", needs: "orders:read" },
      { path: "/admin/subscriptions", name: "Subscriptions", needs: "orders:read" },
    ],
    covers: ["/admin/imports/customers"],
  },
  {
    path: "/admin/discounts",
    name: "Discounts",
    needs: "discounts:read",
    icon: "M3 3h9l9 9-9 9-9-9zm4.5 4.500h.01",
  },
  {
    path: "/admin/sales",
    name: "Reports",
    needs: "orders:read",
    icon: "M4 20V4m0 16h16M8 16l4-5 3 3 5-7",
    pages: [
      { path: "/admin/tax-report", name: "Tax report", needs: "orders:read" },
      { path: "/admin/transactions", name: "Transactions", needs: "orders:read" },
      { path: "/admin/invoices", name: "Invoices", needs: "orders:read" },
    ],
  },
  {
    path: "/admin/api-keys",
    name: "API Manager",
    needs: "administrators",
    icon: "M15 4a5 5 0 1 0-4.6 7L4 17.4V20h3v-2h2v-2h2l2.2-2.2A5 5 0 0 0 15 4zm1.5 4.500a1 1 0 1 0 0-.01z",
    heading: "Developers",
    pages: [{ path: "/admin/apps", name: "Apps", needs: "administrators" }],
  },
  {
    path: "/admin/webhooks",
    name: "Webhooks",
    needs: "webhooks:read",
    icon: "M4 12h10m0 0-4-4m4 4-4 4m5-12h5v16h-5",
  },
  { path: "/admin/events", name: "Events", needs: "events:read", icon: "M13 3 5 14h6l-1 7 8-11h-6z" },
  { path: HEALTH, name: "Health", needs: "metrics:read", icon: "M3 12h4l3-7 4 14 3-7h4" },
  {
    path: "/docs/",
    name: "API reference",
    needs: "products:read_all",
    icon: "M5 4h14v13H8a3 3 0 0 0-3 3zm0 16h14v-3M9 8h6",
  },
];

/** Separated from the others, at the end of the menu. */
export const settingsSection: Section = {
  path: SETTINGS,
  name: "Settings",
  needs: "settings:read",
  icon: "M4 7h9m4 0h3M4 17h3m4 0h9M15 4.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5zm-6 10a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5z",
  covers: [
    ...settingGroups.flatMap(({ cards }) => cards.flatMap(({ path }) => (path === ACCOUNT ? [] : [path]))),
    "/admin/shipping-methods",
  ],
};

export const sections: readonly Section[] = [...mainSections, settingsSection];

/** Forms for something new, which only the search and buttons of other pages link to. */
const actions: readonly MenuEntry[] = [
  { path: "/admin/orders/new", name: "Create order", needs: "orders:write" },
  { path: "/admin/orders/drafts", name: "Drafts", needs: "orders:read" },
  { path: "/admin/products/new", name: "Create product", needs: "products:write" },
  { path: "/admin/files/new", name: "Upload file", needs: "files:write" },
  { path: "/admin/customers/new", name: "Add customer", needs: "users:write" },
  { path: "/admin/packages/new", name: "Grant download", needs: "packages:write" },
  { path: "/admin/discounts/new", name: "Create discount", needs: "discounts:write" },
  { path: "/admin/shipping-zones/new", name: "New shipping zone", needs: "settings:write" },
  { path: "/admin/tax-rates/new", name: "New tax rate", needs: "settings:write" },
  { path: "/admin/emails/templates", name: "Texts of e-mails", needs: "administrators" },
  { path: TWO_FACTOR, name: "Second factor", needs: "staff" },
];

/** Pages, settings and forms that have a name. */
const places: readonly (MenuEntry & { about?: string })[] = [
  ...sections.flatMap(({ pages = [], ...section }) => [section, ...pages]),
  ...settingGroups.flatMap(({ cards }) => cards),
  ...actions,
];

/** The nearest of these pages above a page. */
export const placeAbove = (path: string): MenuEntry | undefined =>
  places
    .filter((place) => path !== place.path && isWithin(path, place.path))
    .toSorted((one, other) => other.path.length - one.path.length)[0];

/** The user's pages, settings and forms whose name or description has words that begin with those of `text`. */
export function pagesNamed(caller: Caller, text: string): typeof places {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return places.filter(({ name, needs, about = "" }) => {
    const said = ` ${name} ${about}`.toLowerCase();
    return isAllowed(caller, needs) && words.every((word) => said.includes(` ${word}`));
  });
}

/** The first section of a signed-in user. */
export const firstSectionOf = (caller: Caller): string =>
  sections.find(({ needs }) => isAllowed(caller, needs))?.path ?? "/admin";

/** True for a page and those below it. */
export const isWithin = (path: string, place: string): boolean =>
  path === place || (place !== "/admin" && path.startsWith(`${place}/`));

/** The section that contains a page. */
export const sectionOf = (path: string): Section | undefined =>
  sections.find(({ path: own, pages = [], covers = [] }) =>
    [own, ...pages.map((page) => page.path), ...covers].some((place) => isWithin(path, place)),
  );
