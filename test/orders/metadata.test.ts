import { describe, expect, it } from "vitest";
import { toDecimal } from "../../src/domain/money.ts";
import { call, callWith } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { expectRefusal } from "../support/refusal.ts";
import { ADDRESS, aKey, aProduct, aUser, onPurpose } from "../support/shop.ts";

const { token: admin } = await aUser({ role: "admin" });
const buyer = await aUser({ wallet: 100_000 });
const [ring, cup] = [await aProduct(), await aProduct()];

const itemOf = ({ id, price }: { id: number; price: number }, metadata?: object) => ({
  product_id: id,
  quantity: 1,
  price: toDecimal(price),
  ...(metadata && { metadata }),
});

const engraved = (text: string) => ({ engraving: text });

const order = (items: object[], more: object = {}) => ({
  items,
  shipping_address: ADDRESS,
  payment_method: "wallet",
  ...more,
});

const place = (items: object[], more: object = {}) =>
  call("POST /orders", { as: buyer.token, body: order(items, more), headers: onPurpose() });

const metadataOf = (data: { items: { metadata: object }[] }) => data.items.map(({ metadata }) => metadata);

describe("texts of programs", () => {
  it("are placed with an order and its lines, with a note, and are in every view of it", async () => {
    const texts = { metadata: { campaign: "Spring" }, note: "Leave it with the neighbour" };
    const { status, body } = await place(
      [itemOf(ring, engraved("Ada")), itemOf(ring, engraved("Bob")), itemOf(cup)],
      texts,
    );
    expect(status, JSON.stringify(body)).toBe(201);
    const lines = [engraved("Ada"), engraved("Bob"), {}];
    expect(metadataOf(body.data)).toEqual(lines);
    expect(body.data).toMatchObject({ metadata: texts.metadata, history: [{ note: texts.note }, {}] });
    const own = await call(`GET /account/orders/${body.data.id}`, { as: buyer.token });
    const seen = await call(`GET /admin/orders/${body.data.id}`, { as: admin });
    const { body: exported } = await call("GET /admin/exports/order-lines/ndjson", { as: admin });
    expect([metadataOf(own.body.data), metadataOf(seen.body.data)]).toEqual([lines, lines]);
    expect(exported).toContain('"metadata":{"engraving":"Bob"}');
  });

  it("on lines are replaced by staff, line by line, and recorded in the audit log", async () => {
    const { id, items } = (await place([itemOf(ring, engraved("Ada")), itemOf(cup)])).body.data;
    const body = { items: [{ id: items[1].id, metadata: { serial: "A-1" } }] };
    const changed = await call(`PUT /admin/orders/${id}`, { as: admin, body });
    expect(metadataOf(changed.body.data)).toEqual([engraved("Ada"), { serial: "A-1" }]);
    expect(changed.body.data.updated_at > changed.body.data.created_at).toBe(true);
    const { body: log } = await call(`GET /admin/audit-log?subject=order&subject_id=${id}`, { as: admin });
    expect(log.data[0].after.item_metadata).toEqual([engraved("Ada"), { serial: "A-1" }]);
  });

  it("on lines of another order are not changed", async () => {
    const [one, other] = [(await place([itemOf(ring)])).body.data, (await place([itemOf(cup)])).body.data];
    const body = { items: [{ id: other.items[0].id, metadata: engraved("Eve") }], metadata: { sent: "yes" } };
    const refused = await call(`PUT /admin/orders/${one.id}`, { as: admin, body });
    expectRefusal(refused, 400, "items.0.id");
    expect((await call(`GET /admin/orders/${one.id}`, { as: admin })).body.data).toEqual(one);
  });

  it("on lines are placed by staff and through drafts", async () => {
    const item = { product_id: cup.id, quantity: 1, metadata: engraved("Staff") };
    const content = { user_id: buyer.id, items: [item], shipping_address: ADDRESS, payment_method: "cash" };
    const placed = await call("POST /admin/orders", { as: admin, body: content });
    const draft = (await call("POST /admin/draft-orders", { as: admin, body: content })).body.data;
    const completed = await call(`POST /admin/draft-orders/${draft.id}/place`, { as: admin, body: {} });
    for (const { status, body } of [placed, completed]) {
      expect(status, JSON.stringify(body)).toBe(201);
      expect(metadataOf(body.data)).toEqual([engraved("Staff")]);
    }
  });

  it("on lines make two orders different", async () => {
    const guest = (await aKey()).key;
    const send = (text: string) =>
      call("POST /orders", {
        as: guest,
        body: order([itemOf(ring, engraved(text))], { payment_method: "credit_card" }),
      });
    expect([(await send("Ada")).status, (await send("Bob")).status, (await send("Ada")).status]).toEqual([
      201, 201, 409,
    ]);
  });

  it.each([
    ["more than 10", Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`name${n}`, ""])), "items.0.metadata"],
    ["a longer text", { engraving: "x".repeat(251) }, "items.0.metadata.engraving"],
    ["a number", { size: 7 }, "items.0.metadata.size"],
  ])("on a line are refused: %s", async (_, metadata, field) => {
    expectRefusal(await place([itemOf(ring, metadata)]), 400, field);
  });

  it("write no row more", async () => {
    const written = async (items: object[], more: object = {}) => {
      const { bindings, work } = counted();
      const body = order(items, more);
      const { status } = await callWith(bindings, "POST /orders", { as: buyer.token, body, headers: onPurpose() });
      expect(status).toBe(201);
      return work.rowsWritten;
    };
    const without = await written([itemOf(ring)]);
    expect(await written([itemOf(ring, engraved("Ada"))], { metadata: { campaign: "Spring" }, note: "Thanks" })).toBe(
      without,
    );
  });
});
