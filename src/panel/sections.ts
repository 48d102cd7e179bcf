import type { Caller } from "../platform/auth/caller.ts";
import { isAllowed, type Needed } from "./kit/allowed.tsx";

/** A section in the panel's menu, below `heading` if it starts a group; `icon` is a path on a grid of 24. */
export type Section = { path: string; name: string; needs: Needed; icon: string; heading?: string };

export const sections: readonly Section[] = [
  {
    path: "/admin",
    name: "Overview",
    needs: "orders:read",
    icon: "M4 13h6V4H4zm0 7h6v-4H4zm10 0h6v-9h-6zm0-16v4h6V4z",
  },
  { path: "/admin/sales", name: "Sales", needs: "orders:read", icon: "M4 20V4m0 16h16M8 16l4-5 3 3 5-7" },
  {
    path: "/admin/api-keys",
    name: "API Manager",
    needs: "administrators",
    icon: "M15 4a5 5 0 1 0-4.6 7L4 17.4V20h3v-2h2v-2h2l2.2-2.2A5 5 0 0 0 15 4zm1.5 4.500a1 1 0 1 0 0-.01z",
  },
  {
    path: "/admin/products",
    name: "Products",
    needs: "products:read",
    icon: "M12 3 4 7v10l8 4 8-4V7zm-8 4 8 4 8-4m-8 4v10",
  },
  { path: "/admin/orders", name: "Orders", needs: "orders:read", icon: "M6 3h12v18l-3-2-3 2-3-2-3 2zm3 5h6m-6 4h6" },
  {
    path: "/admin/transactions",
    name: "Transactions",
    needs: "orders:read",
    icon: "M4 8h14l-3-3m5 11H6l3 3",
  },
  {
    path: "/admin/discounts",
    name: "Discounts",
    needs: "discounts:read",
    icon: "M3 3h9l9 9-9 9-9-9zm4.5 4.500h.01",
  },
  {
    path: "/admin/customers",
    name: "Customers",
    needs: "users:read",
    icon: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm-8 8a8 8 0 0 1 16 0",
  },
  { path: "/admin/files", name: "Files", needs: "files:read", icon: "M6 3h8l4 4v14H6zm8 0v4h4" },
  { path: "/admin/packages", name: "Packages", needs: "packages:read", icon: "M4 8h16v12H4zm-1-4h18v4H3zm6 8h6" },
  {
    path: "/admin/jobs",
    name: "Jobs",
    needs: "jobs:read",
    icon: "M12 4a8 8 0 1 1-8 8m0-6v6h6m2-4v4l3 2",
  },
  {
    path: "/admin/shop",
    name: "Shop",
    needs: "settings:read",
    icon: "M4 10v10h16V10M3 10l2-6h14l2 6a3 3 0 0 1-6 0 3 3 0 0 1-6 0 3 3 0 0 1-6 0zm7 10v-5h4v5",
    heading: "Settings",
  },
  {
    path: "/admin/shipping-zones",
    name: "Shipping",
    needs: "settings:read",
    icon: "M2 6h12v10H2zm12 4h4l4 3v3h-8zM7 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4zm10 0a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  },
  {
    path: "/admin/tax-rates",
    name: "Taxes",
    needs: "settings:read",
    icon: "M5 19 19 5M7.500 10a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zm9 9a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5z",
  },
  {
    path: "/admin/emails",
    name: "E-mails",
    needs: "administrators",
    icon: "M3 6h18v12H3zm0 0 9 7 9-7",
  },
  {
    path: "/admin/webhooks",
    name: "Webhooks",
    needs: "webhooks:read",
    icon: "M4 12h10m0 0-4-4m4 4-4 4m5-12h5v16h-5",
  },
  {
    path: "/admin/audit-log",
    name: "Audit log",
    needs: "administrators",
    icon: "M12 4a8 8 0 1 0 8 8M12 8v4l3 2m1-9h4V1",
  },
];

/** The first section of a signed-in user. */
export const firstSectionOf = (caller: Caller): string =>
  sections.find(({ needs }) => isAllowed(caller, needs))?.path ?? "/admin";

/** Path of the signed-in user's account page. */
export const ACCOUNT = "/admin/account";
export const TWO_FACTOR = `${ACCOUNT}/two-factor`;
