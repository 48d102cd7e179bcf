import { beforeEach, describe, expect, it } from "vitest";
import { beginSession, signPanelToken } from "../../src/panel/session/token.ts";
import { anAccount, PASSWORD } from "../support/accounts.ts";
import { call } from "../support/call.ts";
import { shared } from "../support/callers.ts";
import { anAdministrator, aVisitor, fieldsOf, type Page } from "../support/panel.ts";
import { ADDRESS, aParent, aProduct, aUser, aVariant, orderOf, settings } from "../support/shop.ts";

const aPanel = shared(() => anAdministrator());

let panel: Awaited<ReturnType<typeof anAdministrator>>;

beforeEach(async () => {
  panel = await aPanel();
});

const NEW = "/admin/orders/new";

/** Values that a page offers for a field, with their words. */
const offered = ({ html }: Page, name: string) =>
  [...html.matchAll(new RegExp(`name="${name}" value="([^"]+)"[^>]*>(.*?)</label>`, "gs"))].map(
    ([, value, label = ""]) => [Number(value), textOf(label)],
  );

const textOf = (html = "") =>
  html
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

const linesOf = ({ html }: Page) => textOf(html.split('aria-label="Items"')[1]?.split("</table>")[0]);
const totalOf = ({ html }: Page) => textOf(html.split('<dl class="total">')[1]?.split("</dl>")[0]);

const noticeOf = ({ html }: Page) => textOf(/<div class="notice[^>]*>(.*?)<\/div>/s.exec(html)?.[1]);

/** A shirt in two colors. */
async function aShirt() {
  const sku = `T-${crypto.randomUUID().slice(0, 8)}`;
  const options = [{ name: "Color", values: ["Ochre", "X-Blue"] }];
  const shirt = await aParent({ name: `T-Shirt ${sku}`, sku, options, price: 2_000 });
  const [ochre, blue] = [await aVariant(shirt, { price: 2_000 }), await aVariant(shirt, { price: 2_000 })];
  return { sku, id: shirt.id, ochre: ochre.id, blue: blue.id };
}

describe("a product that is sold in variants", () => {
  it("is found by its name as its variants, of which one is chosen", async () => {
    const { sku, id, ochre, blue } = await aShirt();
    const refused = await panel.post(NEW, { "find.add": `T-Shirt ${sku}`, do: "update", payment_method: "cash" });
    const found = offered(refused, "add");
    expect(found.map(([value]) => value)).toEqual([ochre, blue]);
    expect(found[0]?.[1]).toContain("Ochre");
    expect((await panel.get(`/admin/pick?kinds=product&sellable=true&q=${sku}`)).html).not.toContain(
      `data-value="${id}"`,
    );
    const page = await panel.post(NEW, { ...fieldsOf(refused, NEW), add: String(ochre), do: "update" });
    expect(noticeOf(page)).toBe("The total is up to date. The order is not placed yet.");
    expect(linesOf(page)).toContain("Ochre");
    expect(totalOf(page)).toContain("$20.00");
  });

  it.each([
    ["t-shirt", "ochre"],
    ["t-shirt", "x-blue"],
  ])("is found as one variant by %s and %s", async (name, color) => {
    const { sku, ochre, blue } = await aShirt();
    const page = await panel.post(NEW, { "find.add": `${name} ${sku} ${color}`, do: "update", payment_method: "cash" });
    expect(fieldsOf(page, NEW).items).toEqual([String(color === "ochre" ? ochre : blue)]);
  });

  it("is offered with its stock, and says at once that it is sold out", async () => {
    const sku = `LEFT-${crypto.randomUUID().slice(0, 8)}`;
    const options = [{ name: "Color", values: ["Ochre", "Blue"] }];
    const shirt = await aParent({ name: `Shirt ${sku}`, sku, options });
    const [left, sold] = [await aVariant(shirt, { stock: 3 }), await aVariant(shirt, { stock: 0 })];
    const { html } = await panel.get(`/admin/pick?kinds=product&sellable=true&q=${sku}`);
    const detailOf = ({ id }: { id: number }) => textOf(html.split(`data-value="${id}"`)[1]?.split("</small>")[0]);
    expect([detailOf(left), detailOf(sold)]).toEqual([
      expect.stringContaining("3 in stock"),
      expect.stringContaining("sold out"),
    ]);
    const page = await panel.post(NEW, { add: String(sold.id), do: "update", payment_method: "cash" });
    expect(noticeOf(page)).toContain("This order cannot be placed yet");
    expect(linesOf(page)).toContain("sold out");
  });

  it("is a product in a discount, which covers its variants", async () => {
    const { sku, id } = await aShirt();
    const sent = { name: "Picked", kind: "percentage", percent: "10", priority: "0", "find.product_ids": sku };
    const { location } = await panel.post("/admin/discounts", sent);
    expect(fieldsOf(await panel.get(String(location)), String(location)).product_ids).toEqual([String(id)]);
  });
});

describe("an order by hand", () => {
  it("starts with its items, before it has a customer", async () => {
    const { id } = await aProduct({ name: "Lamp", price: 1_000 });
    const page = await panel.post(NEW, { add: String(id), do: "update", payment_method: "cash" });
    expect([page.status, noticeOf(page)]).toEqual([200, "The total is up to date. The order is not placed yet."]);
    expect(totalOf(page)).toContain("$10.00");
    const placing = await panel.post(NEW, { ...fieldsOf(page, NEW), do: "place" });
    expect([placing.status, placing.html]).toEqual([
      400,
      expect.stringContaining("Choose an account, or enter a guest"),
    ]);
    const guest = { "customer.email": "ada@buyer.test", "customer.name": "Ada" };
    const both = { ...fieldsOf(page, NEW), ...guest, user_id: String((await aUser()).id), do: "place" };
    expect(noticeOf(await panel.post(NEW, both))).toContain(
      "cannot be combined with account. Leave one of the two empty",
    );
  });

  it("is sent to the customer's address unless another one is chosen or typed", async () => {
    const customer = await aUser();
    const added = await call("POST /account/addresses", { as: customer.token, body: { ...ADDRESS, city: "Bath" } });
    const address = String(added.body.data.id);
    const empty = await panel.post(NEW, { user_id: String(customer.id), do: "update", payment_method: "cash" });
    expect(fieldsOf(empty, NEW).shipping_address_id).toEqual([address]);
    const other = { ...fieldsOf(empty, NEW), shipping_address_id: "", do: "update" };
    expect(fieldsOf(await panel.post(NEW, other), NEW).shipping_address_id).toEqual([""]);
    const another = { ...fieldsOf(empty, NEW), user_id: String((await aUser()).id), do: "update" };
    expect(fieldsOf(await panel.post(NEW, another), NEW).shipping_address_id).toBeUndefined();
  });

  it("is sent to the address of the customer's last order if none is saved, and never to somebody else's", async () => {
    const product = await aProduct({ stock: null });
    const [ada, bo] = [await aUser(), await aUser()];
    const before = orderOf(product, 1, { payment_method: "credit_card" });
    expect((await call("POST /orders", { as: ada.token, body: before })).status).toBe(201);
    const typed = { add: String(product.id), user_id: String(ada.id), payment_method: "cash" };
    const page = await panel.post(NEW, { ...typed, do: "update" });
    expect(noticeOf(page)).toBe("The total is up to date. The order is not placed yet.");
    const filled = fieldsOf(page, NEW);
    expect(filled).toMatchObject({
      "shipping_address.address": [ADDRESS.address],
      "shipping_address.city": [ADDRESS.city],
    });
    const corrected = { ...filled, user_id: String(bo.id) };
    const others = fieldsOf(await panel.post(NEW, { ...corrected, do: "update" }), NEW);
    expect(others["shipping_address.address"]).toEqual([""]);
    const refused = await panel.post(NEW, { ...corrected, do: "place" });
    expect([refused.status, refused.html.includes(ADDRESS.address)]).toEqual([400, false]);
    expect((await panel.post(NEW, { ...filled, do: "place" })).location).toMatch(/^\/admin\/orders\/\d+$/);
  });

  it("keeps the form while the password is asked for", async () => {
    const account = await anAccount({ role: "admin" });
    const then = Date.now() - 11 * 60_000;
    const session = beginSession({ userId: account.id, sessionId: account.sessionId, authenticatedAt: then }, then);
    const { post } = aVisitor({ "__Host-panel": (await signPanelToken(settings, session)).token });
    const { id } = await aProduct({ price: 1_000_000 });
    const page = await post(NEW, { add: String(id), do: "update", payment_method: "cash" });
    const guest = { "customer.email": "ada@buyer.test", "customer.name": "Ada", paid: "true" };
    const address = Object.fromEntries(
      Object.entries(ADDRESS).map(([name, value]) => [`shipping_address.${name}`, String(value)]),
    );
    const asked = await post(NEW, { ...fieldsOf(page, NEW), ...guest, ...address, do: "place" });
    expect(asked.html).toMatch(
      /<input[^>]*autofocus[^>]*name="current_password"|name="current_password"[^>]*autofocus/,
    );
    const back = await post(NEW, { ...fieldsOf(asked, NEW), current_password: PASSWORD });
    const kept = fieldsOf(back, NEW);
    expect(kept).toMatchObject({ items: [String(id)], paid: ["true"], [`quantity-${id}`]: ["1"] });
    expect((await post(NEW, { ...kept, do: "place" })).location).toMatch(/orders\/\d+$/);
  });

  it("begins in the shop's country, and goes to the guest unless somebody else is named", async () => {
    await panel.post("/admin/shop", { name: "Shop", home_country: "DE", time_zone: "UTC" });
    const form = fieldsOf(await panel.get(NEW), NEW);
    expect(form["shipping_address.country"]).toEqual(["DE"]);
    const { id } = await aProduct({ name: "Lamp", price: 1_000 });
    const sent = {
      ...form,
      add: String(id),
      "customer.email": "greta@buyer.test",
      "customer.name": "Greta Guest",
      "shipping_address.address": "1 Quay Street",
      "shipping_address.zip": "20095",
      "shipping_address.city": "Hamburg",
      payment_method: "bank_transfer",
      do: "place",
    };
    const { location } = await panel.post(NEW, sent);
    expect((await panel.get(String(location))).html).toMatch(/Greta Guest.*Hamburg/s);
    await panel.post("/admin/shop", { name: "Shop", home_country: "", time_zone: "UTC" });
  });

  it("has a total while its guest and address are being filled in, and names what they lack", async () => {
    const { id } = await aProduct({ name: "Lamp", price: 1_000 });
    const typed = { "customer.email": "greta@buyer.test", "shipping_address.address": "1 Quay Street" };
    const page = await panel.post(NEW, { add: String(id), ...typed, do: "update", payment_method: "cash" });
    expect(totalOf(page)).toContain("$10.00");
    for (const words of ["cannot be placed yet", "City"]) expect(noticeOf(page)).toContain(words);
    const refused = await panel.post(NEW, { ...fieldsOf(page, NEW), do: "place" });
    expect([refused.status, totalOf(refused)]).toEqual([400, expect.stringContaining("$10.00")]);
  });

  it("loses the line whose button is pressed", async () => {
    const [lamp, vase] = [await aProduct({ name: "Lamp" }), await aProduct({ name: "Vase" })];
    const both = { add: [String(lamp.id), String(vase.id)], do: "update", payment_method: "cash" };
    const page = await panel.post(NEW, both);
    const left = await panel.post(NEW, { ...fieldsOf(page, NEW), remove: String(lamp.id) });
    expect(fieldsOf(left, NEW).items).toEqual([String(vase.id)]);
  });
});

describe("an edit of an order", () => {
  it("is shown with its total and the box for the difference until the difference was received", async () => {
    const { id } = await aProduct({ name: "Lamp", price: 1_000 });
    const guest = { "customer.email": "greta@buyer.test", "customer.name": "Greta Guest", paid: "true" };
    const address = Object.entries(ADDRESS).map(([name, value]) => [`shipping_address.${name}`, String(value)]);
    const sent = { add: String(id), ...guest, ...Object.fromEntries(address), payment_method: "cash", do: "place" };
    const path = `${(await panel.post(NEW, sent)).location}/edit`;
    const form = fieldsOf(await panel.get(path), path);
    const [row = ""] = Object.keys(form).filter((name) => name.startsWith("quantity-item-"));
    const reviewed = await panel.post(path, { ...form, [row]: "2", do: "review" });
    const refused = await panel.post(path, { ...fieldsOf(reviewed, path), do: "save" });
    expect(refused.status).toBe(400);
    expect(refused.html).toContain('name="received"');
    expect(totalOf(refused)).toContain("$20.00");
    const saved = await panel.post(path, { ...fieldsOf(refused, path), received: "true", do: "save" });
    expect(saved.status).toBe(303);
  });

  it("names the variant that it adds, and takes out the line whose button is pressed", async () => {
    const buyer = await aUser({ wallet: 100_000 });
    const { body } = await call("POST /orders", { as: buyer.token, body: orderOf(await aProduct({ name: "Lamp" })) });
    const path = `/admin/orders/${body.data.id}/edit`;
    const { ochre } = await aShirt();
    const form = fieldsOf(await panel.get(path), path);
    const added = await panel.post(path, { ...form, add: String(ochre), do: "review" });
    expect(linesOf(added)).toContain("Ochre");
    const removed = await panel.post(path, { ...fieldsOf(added, path), remove: `item-${body.data.items[0].id}` });
    expect(linesOf(removed)).toMatch(/Lamp .*Removed/);
    expect(totalOf(removed)).toContain("$20.00");
  });
});

it("keeps what programs wrote to a draft when the draft is saved in the panel", async () => {
  const [kept, removed] = [await aProduct({ stock: 5 }), await aProduct({ stock: 5 })];
  const content = {
    customer: { email: "ink@example.com", name: "Ink" },
    items: [
      { product_id: kept.id, quantity: 1, metadata: { engraving: "For Ada" } },
      { product_id: removed.id, quantity: 1, metadata: { engraving: "For Bo" } },
    ],
    shipping_address: ADDRESS,
    billing_address: { ...ADDRESS, company: "Ink & Co" },
    payment_method: "bank_transfer",
  };
  const { data: draft } = (await call("POST /admin/draft-orders", { as: panel.token, body: content })).body;
  const path = `/admin/orders/drafts/${draft.id}`;
  const fields = { ...fieldsOf(await panel.get(path), path), do: "save" };
  await panel.post(path, { ...fields, [`quantity-${kept.id}`]: "3", [`quantity-${removed.id}`]: "0" });
  const saved = (await call(`GET /admin/draft-orders/${draft.id}`, { as: panel.token })).body.data.content;
  expect(saved.items).toMatchObject([{ product_id: kept.id, quantity: 3, metadata: { engraving: "For Ada" } }]);
  expect(saved.items).toHaveLength(1);
  expect(saved.billing_address).toMatchObject({ company: "Ink & Co" });
});

it("names the customer of a draft in the list of drafts", async () => {
  const [buyer, product] = [await aUser(), await aProduct({ stock: null })];
  const content = { items: [{ product_id: product.id, quantity: 1 }], payment_method: "bank_transfer" };
  const guest = { email: "guest@drafts.test", name: "Greta Guest" };
  for (const whose of [{ user_id: buyer.id }, { customer: guest }]) {
    const body = { ...content, ...whose };
    expect((await call("POST /admin/draft-orders", { as: panel.token, body })).status).toBe(201);
  }
  const { html } = await panel.get("/admin/orders/drafts");
  expect(html).toContain(`<a href="/admin/customers/${buyer.id}">${buyer.name}</a>`);
  expect(html).toContain(">Greta Guest</td>");
});
