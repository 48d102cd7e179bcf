import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { confirm, openDraftPage, tokenOf } from "../support/drafts.ts";
import { aSendingShop, scheduledAt, tokenIn } from "../support/emails.ts";
import { anAdministrator } from "../support/panel.ts";
import { expectRefusal } from "../support/refusal.ts";
import { runsOf } from "../support/runs.ts";
import { asAdministrator } from "../support/settings.ts";
import { ADDRESS, aKey, aProduct, aUser } from "../support/shop.ts";

const { call: callAndSend, received } = aSendingShop();
let admin: string;
beforeAll(async () => {
  admin = await asAdministrator();
});

let guests = 0;
const aGuest = () => ({ email: `draft-${++guests}@example.test`, name: "Dora Draft" });

async function aDraft(product: { id: number }, more: object = {}) {
  const items = [{ product_id: product.id, quantity: 2 }];
  const body = { customer: aGuest(), items, shipping_address: ADDRESS, payment_method: "bank_transfer", ...more };
  const { body: answer } = await call("POST /admin/draft-orders", { as: admin, body });
  expect(answer.code, JSON.stringify(answer)).toBeUndefined();
  return answer.data;
}

const ofDraft = (id: number, action = "") => `/admin/draft-orders/${id}${action}`;
const read = async (id: number) => (await call(`GET ${ofDraft(id)}`, { as: admin })).body.data;
const send = (id: number) => callAndSend(`POST ${ofDraft(id, "/send")}`, { as: admin, body: {} });
const stockOf = async (id: number): Promise<number> =>
  (await call(`GET /admin/products/${id}`, { as: admin })).body.data.stock_quantity;

it("is sent to a guest, who confirms it by the link and gets one order, even in two tabs", async () => {
  const product = await aProduct({ name: "Satchel", price: 14_900, stock: 10 });
  const draft = await aDraft(product);
  expect(await stockOf(product.id)).toBe(10);
  expect((await openDraftPage(tokenOf(draft))).status).toBe(404);
  expect((await send(draft.id)).body.data.status).toBe("sent");
  const [email] = received(draft.content.customer.email);
  const token = tokenIn(email ?? { text: "" });
  expect(token).toBe(tokenOf(draft));
  const page = await openDraftPage(token);
  expect(page.html).toContain("Satchel");
  expect(page.html).toContain("$298.00");
  const answers = await Promise.all([confirm(token, 298), confirm(token, 298)]);
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  const placed = await read(draft.id);
  expect(placed).toMatchObject({ status: "placed", quote: null });
  const order = await call(`GET /admin/orders/${placed.order_id}`, { as: admin });
  expect(order.body.data).toMatchObject({ reference: draft.reference, status: "pending", total: 298 });
  expect(order.body.data.expires_at).not.toBeNull();
  expect(await stockOf(product.id)).toBe(8);
  expect((await openDraftPage(token)).html).toContain(order.body.data.number);
  expect((await call(`DELETE ${ofDraft(draft.id)}`, { as: admin })).body.code).toBe("draft_placed");
});

it("shows the total again if a price has changed, and keeps prices set by staff", async () => {
  const [product, fixed] = [await aProduct({ price: 1_000 }), await aProduct({ price: 1_000 })];
  const items = [
    { product_id: product.id, quantity: 1 },
    { product_id: fixed.id, quantity: 1, unit_price: 7 },
  ];
  const draft = await aDraft(product, { items });
  await send(draft.id);
  for (const { id } of [product, fixed]) {
    await call(`PUT /admin/products/${id}`, { as: admin, body: { price: 12 } });
  }
  const refused = await confirm(tokenOf(draft), 17);
  expect(refused.status).toBe(400);
  expect(refused.html).toContain("$19.00");
  expect((await confirm(tokenOf(draft), 19)).status).toBe(303);
});

it("asks the buyer for a missing address", async () => {
  const product = await aProduct({ price: 1_000 });
  const draft = await aDraft(product, { shipping_address: undefined });
  await send(draft.id);
  expect((await openDraftPage(tokenOf(draft))).html).toContain("Postal code");
  expect((await confirm(tokenOf(draft), 20)).status).toBe(400);
  const address = Object.fromEntries(
    Object.entries(ADDRESS).map(([part, value]) => [`shipping_address.${part}`, value]),
  );
  expect((await confirm(tokenOf(draft), 20, address)).status).toBe(303);
});

it("opens for nobody with another draft's or a forged link", async () => {
  const draft = await aDraft(await aProduct({ price: 1_000 }));
  await send(draft.id);
  for (const token of ["", "sfd_AAAA-BBBB-CCCC_x", tokenOf(draft).replace("sfd", "sfo"), `${tokenOf(draft)}x`]) {
    expect((await openDraftPage(token)).status).toBe(404);
  }
});

it("is placed by staff as paid, changed, and deleted", async () => {
  const product = await aProduct({ price: 1_000 });
  const draft = await aDraft(product, { payment_method: "credit_card" });
  const unpaid = await call(`POST ${ofDraft(draft.id, "/place")}`, { as: admin, body: {} });
  expect(unpaid.body.details).toMatchObject([{ field: "payment_method", code: "not_applicable" }]);
  const content = { ...draft.content, items: [{ product_id: product.id, quantity: 5 }] };
  expect((await call(`PUT ${ofDraft(draft.id)}`, { as: admin, body: content })).status).toBe(200);
  const placed = await call(`POST ${ofDraft(draft.id, "/place")}`, { as: admin, body: { paid: true } });
  expect(placed.body.data).toMatchObject({ total: 50, payment_status: "paid", reference: draft.reference });
  const other = await aDraft(product);
  expect((await call(`DELETE ${ofDraft(other.id)}`, { as: admin })).status).toBe(204);
  expect((await call(`GET ${ofDraft(other.id)}`, { as: admin })).status).toBe(404);
});

it("keeps the name of a product that was deleted, and its content can be sent back", async () => {
  const [product, kept] = [await aProduct({ name: "Satchel" }), await aProduct({ name: "Lantern" })];
  const items = [product, kept].map(({ id }) => ({ product_id: id, quantity: 1 }));
  const { id, content } = await aDraft(product, { items });
  expect(content.items).toEqual(items);
  expect((await call(`DELETE /admin/products/${product.id}`, { as: admin })).status).toBe(204);
  const namesOf = ({ quote }: { quote: { items: { name: string | null }[] } }) => quote.items.map(({ name }) => name);
  expect(namesOf(await read(id))).toEqual(["Satchel", "Lantern"]);
  const visitor = await anAdministrator();
  expect((await visitor.get(`/admin/orders/drafts/${id}`)).html).toContain("Satchel");
  const body = { ...content, items: items.map((item) => ({ ...item, quantity: 2 })) };
  expect((await call(`PUT ${ofDraft(id)}`, { as: admin, body })).status).toBe(200);
  expect(namesOf(await read(id))).toEqual(["Satchel", "Lantern"]);
});

it("of a customer can be sent back as it was read, and stays unchanged", async () => {
  const customer = await aUser();
  const { id } = await aDraft(await aProduct(), { customer: undefined, user_id: customer.id });
  const before = await read(id);
  const same = await call(`PUT ${ofDraft(id)}`, { as: admin, body: before });
  expect([same.status, same.body.data]).toEqual([200, before]);
  expectRefusal(await call(`PUT ${ofDraft(id)}`, { as: admin, body: { user_id: customer.id } }), 400, "items");
});

it("is refused with two buyers, although one of them is its own", async () => {
  const customer = await aUser();
  const { id, content } = await aDraft(await aProduct(), { customer: undefined, user_id: customer.id });
  const before = await read(id);
  const body = { ...content, customer: { email: "guest@shop.test", name: "Gus" } };
  expectRefusal(await call(`PUT ${ofDraft(id)}`, { as: admin, body }), 400, "customer");
  expect(await read(id)).toEqual(before);
});

it("is shown with its set prices to those who may not set any", async () => {
  const product = await aProduct({ price: 1_000 });
  const draft = await aDraft(product, { items: [{ product_id: product.id, quantity: 1, unit_price: 1 }] });
  const { key } = await aKey({ permissions: ["orders:read"] });
  expect((await call(`GET ${ofDraft(draft.id)}`, { as: key })).body.data.quote.total).toBe(1);
  const viewer = await aUser({ role: "viewer" });
  expect((await call("GET /admin/draft-orders", { as: viewer.token })).status).toBe(200);
});

it("is deleted 90 days after its last change, if it is a guest's and was not ordered", async () => {
  const product = await aProduct();
  const [old, placed, edited] = [await aDraft(product), await aDraft(product), await aDraft(product)];
  const customer = await aUser();
  const owned = await aDraft(product, { customer: undefined, user_id: customer.id });
  await call(`POST ${ofDraft(placed.id, "/place")}`, { as: admin, body: {} });
  const past = Date.now() - 91 * 24 * 60 * 60_000;
  const ids = [old, placed, owned].map(({ id }) => id).join();
  await env.DB.exec(`UPDATE draft_orders SET updated_at = ${past} WHERE id IN (${ids})`);
  await scheduledAt(Date.now());
  const statuses = [old, placed, edited, owned].map(({ id }) => call(`GET ${ofDraft(id)}`, { as: admin }));
  expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([404, 200, 200, 200]);
});

it("never reserves stock until it is an order, whatever happens to it", async () => {
  const steps = fc.array(fc.constantFrom("draft", "change", "send", "open", "delete", "confirm"), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(steps, async (actions) => {
      // Each account is limited in its requests per minute.
      admin = await asAdministrator();
      const product = await aProduct({ price: 1_000, stock: 50 });
      let [sold, draft] = [0, await aDraft(product)];
      let isSent = false;
      for (const action of actions) {
        if (action === "draft") [draft, isSent] = [await aDraft(product), false];
        if (action === "send") isSent = (await send(draft.id)).status === 200 || isSent;
        if (action === "open") await openDraftPage(tokenOf(draft));
        if (action === "change") {
          await call(`PUT ${ofDraft(draft.id)}`, { as: admin, body: draft.content });
        }
        if (action === "delete") {
          const { status } = await call(`DELETE ${ofDraft(draft.id)}`, { as: admin });
          if (status === 204) [draft, isSent] = [await aDraft(product), false];
        }
        if (action === "confirm" && isSent) {
          await confirm(tokenOf(draft), 20);
          [sold, draft, isSent] = [sold + 2, await aDraft(product), false];
        }
        expect(await stockOf(product.id)).toBe(50 - sold);
      }
    }),
    { numRuns: runsOf(12) },
  );
});
