import { beforeAll, describe, expect, it } from "vitest";
import document from "../../docs/panel.md?raw";
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

let paths: Record<string, string>;

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
  paths = {
    home: "/admin",
    sales: "/admin/sales",
    search: "/admin/search?q=lamp",
    "API Manager": "/admin/api-keys",
    "new API key": "/admin/api-keys/new",
    "API key": `/admin/api-keys/${key.id}`,
    "usage of an API key": `/admin/api-keys/${key.id}/usage`,
    products: "/admin/products",
    "new product": "/admin/products/new",
    product: `/admin/products/${product.id}`,
    backups: "/admin/backups",
    categories: "/admin/categories",
    category: `/admin/categories/${category.id}`,
    orders: "/admin/orders",
    order: `/admin/orders/${order.body.data.id}`,
    "edit of an order": `/admin/orders/${order.body.data.id}/edit`,
    "new order": "/admin/orders/new",
    drafts: "/admin/orders/drafts",
    draft: `/admin/orders/drafts/${draft.body.data.id}`,
    returns: "/admin/returns",
    "new return": `/admin/returns/new?order_id=${served.body.data.id}`,
    return: `/admin/returns/${returned.body.data.id}`,
    discounts: "/admin/discounts",
    "new discount": "/admin/discounts/new",
    discount: `/admin/discounts/${discount.id}`,
    transactions: "/admin/transactions",
    invoices: "/admin/invoices",
    customers: "/admin/customers",
    customer: `/admin/customers/${buyer.id}`,
    "sessions of a customer": `/admin/customers/${buyer.id}/sessions`,
    files: "/admin/files",
    "new file": "/admin/files/new",
    file: `/admin/files/${file.id}`,
    packages: "/admin/packages",
    "new package": "/admin/packages/new",
    package: `/admin/packages/${held.id}`,
    "license keys": "/admin/license-keys",
    "license key": `/admin/license-keys/${licensed.id}`,
    "gift cards": "/admin/gift-cards",
    "gift card": `/admin/gift-cards/${cards[0].id}`,
    subscriptions: "/admin/subscriptions",
    "import of products": "/admin/imports/products",
    jobs: "/admin/jobs",
    "failing work": "/admin/jobs/failed-items",
    shop: "/admin/shop",
    "set up": "/admin/set-up",
    "set up in the European Union": "/admin/set-up/eu",
    "set up in the United States": "/admin/set-up/us",
    shipping: "/admin/shipping-zones",
    "new shipping zone": "/admin/shipping-zones/new",
    "shipping zone": `/admin/shipping-zones/${zone.id}`,
    "shipping method": `/admin/shipping-methods/${method.id}`,
    taxes: "/admin/tax-rates",
    "new tax rate": "/admin/tax-rates/new",
    "tax rate": `/admin/tax-rates/${rate.id}`,
    webhooks: "/admin/webhooks",
    "new webhook": "/admin/webhooks/new",
    webhook: `/admin/webhooks/${webhook.id}`,
    "deliveries of a webhook": `/admin/webhooks/${webhook.id}/deliveries`,
    "audit log": "/admin/audit-log",
    events: "/admin/events",
    settings: "/admin/settings",
    "your account": "/admin/account",
  };
});

const names = [
  "home",
  "sales",
  "search",
  "API Manager",
  "new API key",
  "API key",
  "usage of an API key",
  "products",
  "new product",
  "product",
  "categories",
  "category",
  "orders",
  "order",
  "edit of an order",
  "new order",
  "drafts",
  "draft",
  "returns",
  "new return",
  "return",
  "discounts",
  "new discount",
  "discount",
  "transactions",
  "customers",
  "customer",
  "sessions of a customer",
  "files",
  "new file",
  "file",
  "packages",
  "new package",
  "package",
  "license keys",
  "license key",
  "import of products",
  "jobs",
  "failing work",
  "shop",
  "set up",
  "set up in the European Union",
  "set up in the United States",
  "shipping",
  "new shipping zone",
  "shipping zone",
  "shipping method",
  "taxes",
  "new tax rate",
  "tax rate",
  "webhooks",
  "new webhook",
  "webhook",
  "deliveries of a webhook",
  "audit log",
  "events",
  "settings",
  "your account",
];

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

describe.each(names)("the page %s", (name) => {
  it("makes at most three round trips to the database", async () => {
    const { bindings, trips } = counted();
    const { get } = await anAdmin();
    await readTimeZone(db);
    const { status } = await get(String(paths[name]), bindings);
    expect(status).toBe(200);
    expect(trips.d1).toBeLessThanOrEqual(3);
    if (name in documented) expect(trips.d1, `${name} costs ${trips.d1}`).toBe(documented[name]);
  });

  it("shows hostile names as text", async () => {
    const { get } = await anAdmin();
    const { html } = await get(String(paths[name]));
    expect(html).not.toContain("<script>x");
    expect(html).not.toContain("<img src=x");
    expect(html).not.toMatch(/ style=| on[a-z]+="/);
  });
});

it.each(names.filter((name) => !technical.includes(name)))(
  "the page %s speaks to merchants, also when it refuses a form",
  async (name) => {
    const { get, post } = await anAdmin();
    const opened = await get(String(paths[name]));
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
