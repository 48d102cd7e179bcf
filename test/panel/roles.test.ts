import { beforeAll, describe, expect, it } from "vitest";
import { panel } from "../../src/panel/app.tsx";
import type { Role } from "../../src/platform/db/schema.ts";
import { routeDescriptionOf } from "../../src/platform/http/route-description.ts";
import { createJob } from "../../src/platform/jobs/jobs.ts";
import { anAccount, PASSWORD } from "../support/accounts.ts";
import { call } from "../support/call.ts";
import { boughtGiftCards } from "../support/gift-cards.ts";
import { aCheckedImport, anImport } from "../support/jobs.ts";
import { aLicenseKey } from "../support/license-keys.ts";
import { anAdministrator, aVisitor } from "../support/panel.ts";
import { aDiscount } from "../support/pricing.ts";
import { aMethod, aTaxRate } from "../support/settings.ts";
import { aCategory, aFile, aKey, aPackage, aProduct, aUser, db, orderOf } from "../support/shop.ts";
import { aWebhook, deliver } from "../webhooks/support.ts";

/** A route of the panel, and the roles that may use it. */
const routes = panel.routes
  .filter(({ method }) => method !== "ALL")
  .map(({ method, path, handler }) => ({ method, path, access: routeDescriptionOf(handler).access }));

/** Routes without a permission: signing in and out, and the user's own account. */
const isOpenToAll = (line: string) => /^\w+ \/(sign-in|sign-out|account.*)$/.test(line);

it("requires a permission on every route except those of the session and one's own account", () => {
  const all = new Set(routes.map(({ method, path }) => `${method} ${path}`));
  const gated = routes.flatMap(({ method, path, access }) => (access ? [`${method} ${path}`] : []));
  expect([...all].filter((line) => !gated.includes(line) && !isOpenToAll(line))).toEqual([]);
});

/** True if the role may use the link's target. Targets without a required permission are open to all roles. */
function isOpen(role: Role, method: string, address: string): boolean {
  const path = new URL(address, "https://shop.test").pathname.replace(/^\/admin/, "") || "/";
  const found = routes.filter((route) => route.method === method && patternOf(route.path).test(path));
  expect(found, `${method} ${address}`).not.toEqual([]);
  const [gate] = found.flatMap(({ access }) => (access ? [access] : []));
  return path === "/" || !gate || (Array.isArray(gate.users) && gate.users.includes(role));
}

const patternOf = (path: string) =>
  new RegExp(`^${path.replaceAll(/:\w+\{([^}]+)\}/g, "($1)").replaceAll(/(?<!\?):\w+/g, "[\\w-]+")}$`);

/** Targets of the links and forms on a page. */
const waysIn = (html: string) => [
  ...[...html.matchAll(/ href="(\/admin(?!-assets)[^"]*)"/g)].map(([, address = ""]) => ["GET", address] as const),
  ...[...html.matchAll(/<form method="(\w+)" action="([^"]*)"/g)].map(
    ([, method = "", address = ""]) => [method.toUpperCase(), address] as const,
  ),
  ...[...html.matchAll(/ data-(?:upload|images)="(\/[^"]*)"/g)].map(([, address = ""]) => ["POST", address] as const),
];

let pages: string[];

beforeAll(async () => {
  const category = await aCategory("Lamps");
  const file = await aFile();
  const product = await aProduct({ categoryId: category.id, fileIds: [file.id] });
  const key = await aKey();
  const buyer = await aUser({ wallet: 10_000 });
  const paid = await call("POST /orders", { as: buyer.token, body: orderOf(product) });
  const unpaid = await call("POST /orders", {
    as: buyer.token,
    body: orderOf(product, 1, { payment_method: "paypal" }),
  });
  const sent = await call("POST /orders", { as: buyer.token, body: orderOf(product, 2) });
  const { token } = await aUser({ role: "admin" });
  const shipment = { status: "shipped", shipment: { carrier: "Post" } };
  await call(`PUT /admin/orders/${sent.body.data.id}`, { as: token, body: shipment });
  const items = [{ id: sent.body.data.items[0].id, quantity: 1 }];
  const returned = await call(`POST /admin/orders/${sent.body.data.id}/returns`, { as: token, body: { items } });
  await call(`POST /admin/products/${product.id}/stock`, { as: token, body: { delta: 1, reason: "Found" } });
  const held = await aPackage(buyer.id, [file.id]);
  const licensed = await aLicenseKey();
  const { cards } = await boughtGiftCards();
  const discount = await aDiscount({ productIds: [product.id], categoryIds: [category.id] });
  const webhook = await aWebhook({ types: [] });
  await webhook.sendTest();
  await deliver(webhook);
  const method = await aMethod();
  const rate = await aTaxRate();
  const checked = await aCheckedImport("sku,name,type,price\nROLES-1,Lamp,physical,5\n", { as: token });
  const imported = await anImport("sku,name,type,price\nROLES-2,Lamp,physical,5\n,,,\nROLES-3,,,\n", { as: token });
  const author = { actor: "system", address: null, requestId: "test", now: Date.now() };
  const waiting = await createJob({ db, author }, { kind: "import_products", parameters: {} });
  pages = [
    "/admin",
    "/admin/api-keys",
    "/admin/api-keys/new",
    `/admin/api-keys/${key.id}`,
    "/admin/products",
    "/admin/products?search=nothing-like-it",
    "/admin/products/new",
    `/admin/products/${product.id}`,
    "/admin/categories",
    `/admin/categories/${category.id}`,
    "/admin/orders",
    "/admin/orders/new",
    "/admin/orders/drafts",
    ...[paid, unpaid, sent].map(({ body }) => `/admin/orders/${body.data.id}`),
    ...[paid, unpaid].map(({ body }) => `/admin/orders/${body.data.id}/edit`),
    "/admin/returns",
    `/admin/returns/new?order_id=${sent.body.data.id}`,
    `/admin/returns/${returned.body.data.id}`,
    "/admin/discounts",
    "/admin/discounts/new",
    `/admin/discounts/${discount.id}`,
    "/admin/customers",
    "/admin/customers/new",
    `/admin/customers/${buyer.id}`,
    `/admin/customers/${buyer.id}/sessions`,
    "/admin/account",
    "/admin/staff",
    "/admin/staff/invite",
    "/admin/files",
    "/admin/files/new",
    `/admin/files/${file.id}`,
    "/admin/packages",
    "/admin/packages/new",
    `/admin/packages/${held.id}`,
    "/admin/license-keys",
    `/admin/license-keys/${licensed.id}`,
    "/admin/gift-cards",
    `/admin/gift-cards/${cards[0].id}`,
    "/admin/subscriptions",
    "/admin/emails",
    "/admin/emails/templates",
    "/admin/shop",
    "/admin/payments",
    "/admin/set-up",
    "/admin/set-up/eu",
    "/admin/set-up/us",
    "/admin/shipping-zones",
    "/admin/shipping-zones/new",
    `/admin/shipping-zones/${method.zone_id}`,
    `/admin/shipping-methods/${method.id}`,
    "/admin/tax-rates",
    "/admin/tax-rates/new",
    `/admin/tax-rates/${rate.id}`,
    "/admin/webhooks",
    "/admin/webhooks/new",
    `/admin/webhooks/${webhook.id}`,
    `/admin/webhooks/${webhook.id}/deliveries`,
    "/admin/jobs",
    `/admin/jobs/${imported.job_id}`,
    `/admin/jobs/${waiting.id}`,
    "/admin/imports/products",
    `/admin/imports/products/${checked.id}`,
    `/admin/imports/products/${imported.id}`,
    "/admin/imports/customers",
    "/admin/audit-log",
    "/admin/events",
    "/admin/settings",
  ];
});

const shopping = [
  "Home",
  "Orders",
  "Returns",
  "Products",
  "Inventory",
  "Categories",
  "Files",
  "Customers",
  "Packages",
  "License keys",
  "Gift cards",
  "Subscriptions",
  "Discounts",
  "Reports",
  "Tax report",
];
const data = ["Shop", "Payments", "Shipping", "Taxes", "Pages"];

/** The entries of the menu, and the cards of the settings. */
const sections: Record<Exclude<Role, "customer">, { menu: string[]; settings: string[] }> = {
  viewer: {
    menu: [...shopping, "Transactions", "Invoices", "Webhooks", "Events", "Health", "API reference", "Settings"],
    settings: [...data, "Shopping assistants", "Product feeds", "Your account", "Backups", "Jobs"],
  },
  catalogue: {
    menu: ["Products", "Inventory", "Categories", "Files", "Discounts", "API reference", "Settings"],
    settings: [...data, "Shopping assistants", "Product feeds", "Your account", "Backups", "Jobs", "Import products"],
  },
  packer: { menu: ["Orders"], settings: [] },
  support: {
    menu: [...shopping, "Transactions", "Invoices", "API reference", "Settings"],
    settings: [...data, "Shopping assistants", "Product feeds", "Your account", "Backups", "Jobs", "Import customers"],
  },
  admin: {
    menu: [
      ...shopping,
      "Transactions",
      "Invoices",
      "API Manager",
      "Apps",
      "Webhooks",
      "Events",
      "Health",
      "API reference",
      "Settings",
    ],
    settings: [
      ...data,
      "Set up shipping and taxes",
      "E-mails",
      "Shopping assistants",
      "Product feeds",
      "Your account",
      "Staff",
      "Audit log",
      "Backups",
      "Jobs",
      "Import products",
      "Import customers",
    ],
  },
};

const staff: Exclude<Role, "customer">[] = ["viewer", "catalogue", "packer", "support", "admin"];

describe.each(staff)("the role %s", (role) => {
  it("opens exactly its permitted pages, and no link leads to a forbidden one", async () => {
    const { get } = await anAdministrator({ role });
    for (const path of pages) {
      const { status, html, location } = await get(path);
      const first = { catalogue: "/admin/products", packer: "/admin/orders" }[String(role)];
      if (path === "/admin" && first) {
        expect([status, location]).toEqual([303, first]);
        continue;
      }
      expect(status, path).toBe(isOpen(role, "GET", path) ? 200 : 403);
      if (status === 403) expect(html).toContain("Not allowed");
      for (const [method, address] of waysIn(html)) {
        expect(isOpen(role, method, address), `${path} leads to ${method} ${address}`).toBe(true);
      }
    }
  });

  it("sees its sections and settings", async () => {
    const { html } = await (await anAdministrator({ role })).get(
      role === "packer" ? "/admin/orders" : "/admin/settings",
    );
    const [, menu = "", cards = ""] = /<div class="sections">(.*?)Your account(.*)/s.exec(html) ?? [];
    expect([...menu.matchAll(/>([^<>]+)<\/a>/g)].map(([, name]) => name)).toEqual(sections[role].menu);
    expect([...cards.matchAll(/<strong>([^<]+)</g)].map(([, name]) => name)).toEqual(sections[role].settings);
  });

  it("finds its pages, settings and forms by their names", async () => {
    const { get } = await anAdministrator({ role });
    const { html } = await get("/admin/search?q=pro");
    for (const [method, address] of waysIn(html)) expect(isOpen(role, method, address), address).toBe(true);
    expect(html.includes('<a href="/admin/products/new">')).toBe(["catalogue", "admin"].includes(role));
    const finds = (await get("/admin/search?q=rates+tax")).html.includes('<a href="/admin/tax-rates">');
    expect(finds).toBe(role !== "packer");
    expect((await get("/admin/search?q=nothing")).html).toContain("No results");
  });

  it("signs in to the panel, and is refused forbidden writes", async () => {
    const { email } = await anAccount({ role });
    const visitor = aVisitor();
    expect((await visitor.post("/admin/sign-in", { email, password: PASSWORD })).status).toBe(303);
    const { status } = await visitor.post("/admin/categories", { name: `By ${role}`, slug: "" });
    expect(status).toBe(["catalogue", "admin"].includes(role) ? 303 : 403);
  });
});

describe("a page for read-only staff", () => {
  it("shows values that others may edit, without a button", async () => {
    const { id } = await aProduct({ name: "Lantern" });
    const { html } = await (await anAdministrator({ role: "viewer" })).get(`/admin/products/${id}`);
    expect(html).toContain('<fieldset class="form read-only" disabled');
    expect(html).toContain('value="Lantern"');
    expect(html).not.toMatch(/Save product|Adjust stock|>Delete</);
  });

  it("shows support no role and no password to change", async () => {
    const { id } = await aUser();
    const support = await anAdministrator({ role: "support" });
    const path = `/admin/customers/${id}`;
    const { html } = await support.get(path);
    expect(html).not.toMatch(/name="(role|password)"/);
    expect((await support.post(path, { name: "Renamed", email: `by-support-${id}@shop.test` })).status).toBe(303);
    const given = { password: "typed by support", name: "Renamed" };
    expect((await support.post(path, given)).status).toBe(403);
    expect((await support.post(`/admin/staff/${id}`, { role: "admin" })).status).toBe(403);
  });
});

it("lets support end no session of a colleague", async () => {
  const [colleague, support] = [await anAdministrator(), await anAdministrator({ role: "support" })];
  const path = `/admin/customers/${colleague.id}/sessions`;
  for (const end of [`${path}/end`, `${path}/${colleague.sessionId}/end`]) {
    expect((await support.post(end)).status).toBe(404);
  }
  expect((await colleague.get("/admin")).status).toBe(200);
});

it("shows the form again if support exceeds its limit", async () => {
  const [{ id }, support] = [await aUser(), await anAdministrator({ role: "support" })];
  const sent = { amount: "200.01", reason: "Goodwill", once: crypto.randomUUID() };
  const { status, html } = await support.post(`/admin/customers/${id}/credit`, sent);
  expect(status).toBe(409);
  expect(html).toContain("towards your limit of 200.00 in 24 hours");
  expect(html).toContain('value="200.01"');
});
