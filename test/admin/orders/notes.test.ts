import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { auditLog } from "../../../src/platform/db/schema.ts";
import { entriesOf } from "../../support/administration.ts";
import { call, callWith } from "../../support/call.ts";
import { counted } from "../../support/counting.ts";
import { expectRefusal } from "../../support/refusal.ts";
import { aKey, aProduct, aUser, db, onPurpose, orderOf } from "../../support/shop.ts";
import { anAdministrator, placed } from "./support.ts";

it("keeps internal notes about an order, newest first, hidden from its buyer", async () => {
  const [admin, { id, user }] = [await anAdministrator(), await placed()];
  const version = await admin.etagOf(id);
  const first = await admin.ask(`POST /admin/orders/${id}/notes`, { text: "  Asked for a gift box\nby telephone " });
  expect([first.status, first.body.data]).toEqual([
    201,
    {
      id: expect.any(Number),
      text: "Asked for a gift box\nby telephone",
      author: `user:${admin.id}`,
      created_at: expect.stringMatching(/Z$/),
    },
  ]);
  const second = await admin.ask(`POST /admin/orders/${id}/notes`, { text: "Packed" });
  const { body } = await admin.ask(`GET /admin/orders/${id}/notes`);
  expect(body.data).toEqual([second.body.data, first.body.data]);
  expect(body.pagination.total_items).toBe(2);
  expect(await admin.etagOf(id)).toBe(version);
  const [, entry] = await entriesOf(id);
  expect(entry).toMatchObject({ actor: `user:${admin.id}`, action: "order.add_note", before: null });

  for (const path of ["/account/orders", `/account/orders/${id}`, "/account/export"]) {
    expect(JSON.stringify((await call(`GET ${path}`, { as: user.token })).body)).not.toContain("gift box");
  }
});

it("refuses an empty or too long note, and a note on an unknown order", async () => {
  const [admin, { id }] = [await anAdministrator(), await placed()];
  const note = (order: number, text: string) => admin.ask(`POST /admin/orders/${order}/notes`, { text });
  expectRefusal(await note(id, " \n "), 400, "text");
  expectRefusal(await note(id, "x".repeat(2_001)), 400, "text");
  expect((await note(987_654, "Nowhere")).status).toBe(404);
  expect((await admin.ask("GET /admin/orders/987654/notes")).status).toBe(404);
  expect((await admin.ask(`GET /admin/orders/${id}/notes`)).body.data).toEqual([]);
});

const entriesBy = (actor: string) => db.select().from(auditLog).where(eq(auditLog.actor, actor)).all();

const guestOrder = (product: { id: number; price: number }) =>
  orderOf(product, 2, { payment_method: "paypal", customer: { email: "guest@keys.test", name: "A Guest" } });

describe("writes of an API key on the shop's own routes", () => {
  it("are audited when it places and cancels an order, each in the same batch", async () => {
    const [{ key, id: keyId }, product] = [await aKey(), await aProduct({ price: 1250 })];
    // The isolate loads the pricing rules, which another test file may have changed.
    await call("POST /orders", { as: key, body: guestOrder(await aProduct()) });
    const { bindings, trips } = counted();
    const { body } = await callWith(bindings, "POST /orders", { as: key, body: guestOrder(product) });
    expect(trips.d1).toBe(1);
    const { id, reference } = body.data;
    expect((await call(`POST /account/orders/${id}/cancel`, { as: key })).status).toBe(200);
    expect(await entriesOf(id)).toMatchObject([
      {
        actor: `api_key:${keyId}`,
        action: "order.cancel",
        before: { status: "pending" },
        after: { status: "cancelled" },
      },
      {
        actor: `api_key:${keyId}`,
        action: "order.create",
        subject: "order",
        before: null,
        after: {
          reference,
          total: 25,
          payment_method: "paypal",
          items: [{ product_id: product.id, quantity: 2, price: 12.5 }],
        },
        requestId: expect.any(String),
      },
    ]);
  });

  it("are audited once for a repeated request, and not for a refused one", async () => {
    const [{ key, id: keyId }, product] = [await aKey(), await aProduct({ stock: 2 })];
    const headers = { "Idempotency-Key": "twice" };
    const place = () => call("POST /orders", { as: key, body: guestOrder(product), headers });
    const { body } = await place();
    expect((await place()).headers.get("Idempotent-Replayed")).toBe("true");
    const refused = await call("POST /orders", { as: key, body: guestOrder(product), headers: onPurpose() });
    expect(refused.status).toBe(400);
    const cancel = () =>
      call(`POST /account/orders/${body.data.id}/cancel`, { as: key, headers: { "Idempotency-Key": "c" } });
    await Promise.all([cancel(), cancel(), cancel()]);
    const actions = (await entriesBy(`api_key:${keyId}`)).map(({ action }) => action);
    expect(actions).toEqual(["order.create", "order.cancel"]);
  });

  it("are not audited for carts, nor are users' own writes", async () => {
    const [{ key, id: keyId }, product] = [await aKey(), await aProduct()];
    expect((await call("POST /cart", { as: key, body: { product_id: product.id } })).status).toBe(201);
    expect(await entriesBy(`api_key:${keyId}`)).toEqual([]);
    for (const role of [undefined, "admin"] as const) {
      const user = await aUser({ wallet: 10_000, ...(role && { role }) });
      const { body } = await call("POST /orders", { as: user.token, body: orderOf(product) });
      expect((await call(`POST /account/orders/${body.data.id}/cancel`, { as: user.token })).status).toBe(200);
      expect(await entriesBy(`user:${user.id}`)).toEqual([]);
    }
  });
});
