import { beforeAll, describe, expect, it } from "vitest";
import document from "../../docs/panel.md?raw";
import { administration } from "../../src/apps/administration.ts";
import { panel } from "../../src/panel/app.tsx";
import { sectionOf } from "../../src/panel/sections.ts";
import { readTimeZone } from "../../src/platform/db/time-zone.ts";
import { script } from "../payments/support/stand-in.ts";
import { call } from "../support/call.ts";
import { shared } from "../support/callers.ts";
import { counted } from "../support/counting.ts";
import { boughtGiftCards } from "../support/gift-cards.ts";
import { aLicenseKey } from "../support/license-keys.ts";
import { anAdministrator, fieldsOf } from "../support/panel.ts";
import { aDiscount } from "../support/pricing.ts";
import { aMethod, asAdministrator, aTaxRate, aZone } from "../support/settings.ts";
import { aCategory, aFile, aKey, aPackage, aProduct, aUser, db, orderOf } from "../support/shop.ts";
import { asKey, aWebhook, deliver } from "../webhooks/support.ts";

const anAdmin = shared(() => anAdministrator());

let ids: Record<string, number>;

beforeAll(async () => {
  const category = await aCategory("Lamps");
  const file = await aFile({ name: "<script>x</script>" });
  const product = await aProduct({
    categoryId: category.id,
    fileIds: [file.id],
    name: "<script>x</script>",
  });
  const key = await aKey({ name: '"><img src=x onerror=alert(1)>' });
  const buyer = await aUser({ wallet: 10_000, name: "<script>x</script>" });
  const order = await call("POST /orders", { as: buyer.token, body: orderOf(product) });
  const other = await aProduct({ type: "service", requiresShipping: false, name: "<script>x</script>" });
  const served = await call("POST /orders", { as: buyer.token, body: orderOf(other, 2) });
  const returned = await call(`POST /account/orders/${served.body.data.id}/returns`, {
    as: buyer.token,
    body: { items: [{ id: served.body.data.items[0].id, quantity: 1 }], reason: "<script>x</script>" },
  });
  const draft = await call("POST /admin/draft-orders", {
    as: await asAdministrator(),
    body: {
      customer: { email: "x@hostile.test", name: "<script>x</script>" },
      items: [{ product_id: product.id, quantity: 1 }],
      payment_method: "cash",
    },
  });
  const held = await aPackage(buyer.id, [file.id]);
  const licensed = await aLicenseKey();
  const { cards } = await boughtGiftCards();
  const discount = await aDiscount({
    name: "<script>x</script>",
    productIds: [product.id],
    categoryIds: [category.id],
  });
  const webhook = await aWebhook({ description: "<script>x</script>" });
  const answer = { status: 500, body: "<script>x</script><img src=x onerror=alert(1)>" };
  await script({ line: `POST /receive/${webhook.name}`, about: "", ...answer });
  await call(`PUT /admin/products/${product.id}`, { as: await asKey(), body: { price: 13 } });
  await deliver(webhook);
  const zone = await aZone({ name: "<script>x</script>", places: [{ country: "DE" }] });
  const method = await aMethod({ zone_id: zone.id, name: "<script>x</script>" });
  const rate = await aTaxRate({ name: "<script>x</script>" });
  ids = {
    category: category.id,
    file: file.id,
    product: product.id,
    key: key.id,
    buyer: buyer.id,
    order: order.body.data.id,
    served: served.body.data.id,
    returned: returned.body.data.id,
    draft: draft.body.data.id,
    held: held.id,
    licensed: licensed.id,
    card: cards[0].id,
    discount: discount.id,
    webhook: webhook.id,
    zone: zone.id,
    method: method.id,
    rate: rate.id,
  };
});

const paths: Record<string, () => string> = {
  home: () => "/admin",
  sales: () => "/admin/sales",
  search: () => "/admin/search?q=lamp",
  "API Manager": () => "/admin/api-keys",
  "new API key": () => "/admin/api-keys/new",
  "API key": () => `/admin/api-keys/${ids.key}`,
  "usage of an API key": () => `/admin/api-keys/${ids.key}/usage`,
  products: () => "/admin/products",
  "new product": () => "/admin/products/new",
  product: () => `/admin/products/${ids.product}`,
  backups: () => "/admin/backups",
  categories: () => "/admin/categories",
  category: () => `/admin/categories/${ids.category}`,
  orders: () => "/admin/orders",
  order: () => `/admin/orders/${ids.order}`,
  "edit of an order": () => `/admin/orders/${ids.order}/edit`,
  "new order": () => "/admin/orders/new",
  drafts: () => "/admin/orders/drafts",
  draft: () => `/admin/orders/drafts/${ids.draft}`,
  returns: () => "/admin/returns",
  "new return": () => `/admin/returns/new?order_id=${ids.served}`,
  return: () => `/admin/returns/${ids.returned}`,
  discounts: () => "/admin/discounts",
  "new discount": () => "/admin/discounts/new",
  discount: () => `/admin/discounts/${ids.discount}`,
  transactions: () => "/admin/transactions",
  invoices: () => "/admin/invoices",
  customers: () => "/admin/customers",
  customer: () => `/admin/customers/${ids.buyer}`,
  "sessions of a customer": () => `/admin/customers/${ids.buyer}/sessions`,
  files: () => "/admin/files",
  "new file": () => "/admin/files/new",
  file: () => `/admin/files/${ids.file}`,
  packages: () => "/admin/packages",
  "new package": () => "/admin/packages/new",
  package: () => `/admin/packages/${ids.held}`,
  "license keys": () => "/admin/license-keys",
  "license key": () => `/admin/license-keys/${ids.licensed}`,
  "gift cards": () => "/admin/gift-cards",
  "gift card": () => `/admin/gift-cards/${ids.card}`,
  subscriptions: () => "/admin/subscriptions",
  "import of products": () => "/admin/imports/products",
  jobs: () => "/admin/jobs",
  "failing work": () => "/admin/jobs/failed-items",
  shop: () => "/admin/shop",
  "set up": () => "/admin/set-up",
  "set up in the European Union": () => "/admin/set-up/eu",
  "set up in the United States": () => "/admin/set-up/us",
  shipping: () => "/admin/shipping-zones",
  "new shipping zone": () => "/admin/shipping-zones/new",
  "shipping zone": () => `/admin/shipping-zones/${ids.zone}`,
  "shipping method": () => `/admin/shipping-methods/${ids.method}`,
  taxes: () => "/admin/tax-rates",
  "new tax rate": () => "/admin/tax-rates/new",
  "tax rate": () => `/admin/tax-rates/${ids.rate}`,
  webhooks: () => "/admin/webhooks",
  "new webhook": () => "/admin/webhooks/new",
  webhook: () => `/admin/webhooks/${ids.webhook}`,
  "deliveries of a webhook": () => `/admin/webhooks/${ids.webhook}/deliveries`,
  "audit log": () => "/admin/audit-log",
  events: () => "/admin/events",
  settings: () => "/admin/settings",
  "your account": () => "/admin/account",
};
const names = Object.keys(paths);

/** Pages for developers, which name what programs send. */
const technical = ["API Manager", "new API key", "API key", "usage of an API key", "webhook", "new webhook", "events"];

/** Names of fields, and words of developers, in what a merchant reads. */
const JARGON =
  /\b([a-z]\w*_\w+|[a-z]\w*\.\d+|admitted|by itself|bucket|deploy\w*|endpoint|manifest|metadata|ndjson|npm|p\d\d|payload|slug|wrangler)\b/gi;

/** The text of a page with its placeholders and titles, without values and code. */
const wordsOf = (html: string): string =>
  html
    .replace(/<(head|code|pre|textarea)\b.*?<\/\1>/gs, " ")
    .replace(
      /<[^>]*>/g,
      (tag) =>
        ` ${[...tag.matchAll(/ (?:placeholder|title|aria-label)="([^"]*)"/g)].map(([, words]) => words).join(" ")} `,
    );

const jargonIn = (html: string): string[] => [...new Set(wordsOf(html).match(JARGON) ?? [])];

/** Round trips per page, from the table in docs/panel.md. */
const documented = Object.fromEntries(
  [...document.matchAll(/^\| ([\w ]+) \| `\/admin[^|]*\| [\d.]+ \| \d+ \| (\d) \|$/gm)].map(([, name = "", trips]) => [
    name,
    Number(trips),
  ]),
);

it("documents the cost of its main pages", () => {
  expect(Object.keys(documented).length).toBeGreaterThan(10);
  expect(names).toEqual(expect.arrayContaining(Object.keys(documented)));
});

it.each(names)(
  "the page %s makes at most three round trips to the database, and shows hostile names as text",
  async (name) => {
    const { bindings, trips } = counted();
    const { get } = await anAdmin();
    await readTimeZone(db);
    const { status, html } = await get(String(paths[name]?.()), bindings);
    expect(status).toBe(200);
    expect(trips.d1).toBeLessThanOrEqual(3);
    if (name in documented) expect(trips.d1, `${name} costs ${trips.d1}`).toBe(documented[name]);
    expect(html).not.toContain("<script>x");
    expect(html).not.toContain("<img src=x");
    expect(html).not.toMatch(/ style=| on[a-z]+="/);
  },
);

it.each(names.filter((name) => !technical.includes(name)))(
  "the page %s speaks to merchants, also when it refuses a form",
  async (name) => {
    const { get, post } = await anAdmin();
    const opened = await get(String(paths[name]?.()));
    expect(jargonIn(opened.html)).toEqual([]);
    const forms = [...opened.html.matchAll(/<form method="post" action="([^"]+)"/g)].map(([, action = ""]) => action);
    for (const action of new Set(forms)) {
      const fields = fieldsOf(opened, action);
      const typed = Object.entries(fields).filter(([field]) => !["once", "if_match", "seen"].includes(field));
      if (typed.length === 0) continue;
      for (const garbage of ["", "?!", "x".repeat(5_000)]) {
        const sent = Object.fromEntries(typed.map(([field]) => [field, garbage]));
        const { status, html } = await post(action, { ...fields, ...sent });
        if (status >= 400) expect.soft(jargonIn(html), `${action}: ${garbage.slice(0, 9)}`).toEqual([]);
      }
    }
  },
);

const lists = new Set(
  panel.routes.flatMap(({ method, path }) =>
    method === "GET" && path.endsWith("/new") ? [path.replace(/\/new$/, "")] : [],
  ),
);

/** API paths that differ from the panel's. */
const apiPaths: Record<string, string> = { "/customers": "/users", "/returns": "/orders/:id/returns" };

describe("a list of the panel with a page for a new row", () => {
  it("is in the menu", () => {
    expect(lists).toContain("/tax-rates");
    expect([...lists].filter((path) => !sectionOf(`/admin${path}`))).toEqual([]);
  });

  it("has a route of the API that creates one", () => {
    const created = administration.routes.flatMap(({ method, path }) => (method === "POST" ? [path] : []));
    const missing = [...lists].filter((path) => !created.includes(`/api/v1/admin${apiPaths[path] ?? path}`));
    expect(missing).toEqual([]);
  });
});
