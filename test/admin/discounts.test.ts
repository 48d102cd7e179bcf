import { env } from "cloudflare:workers";
import { desc, eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { auditLog, discounts } from "../../src/platform/db/schema.ts";
import { violates } from "../../src/platform/db/statements.ts";
import { administration } from "../support/administration.ts";
import { callWith } from "../support/call.ts";
import { interleaved } from "../support/faults.ts";
import { aDiscount } from "../support/pricing.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aCategory, aProduct, db } from "../support/shop.ts";

const DAY = 24 * 60 * 60 * 1000;
const at = (ms: number) => new Date(Date.now() + ms).toISOString();

const { admin, ask } = administration();

let made = 0;

/** A request for a new 10 % discount with an unused code. */
const aRequest = (fields: Record<string, unknown> = {}) => ({
  name: "Ten off",
  code: `NEW-${++made}`,
  kind: "percentage",
  percent: 10,
  ...fields,
});

const create = (fields: Record<string, unknown> = {}) => ask("POST /admin/discounts", aRequest(fields));
const change = (id: number, fields: Record<string, unknown>) => ask(`PUT /admin/discounts/${id}`, fields);

const rowOf = (id: number) => db.select().from(discounts).where(eq(discounts.id, id)).get();

const codesOf = ({ body }: Awaited<ReturnType<typeof ask>>) =>
  body.details.map(({ field, code }: { field: string; code: string }) => [field, code]);

const kinds = {
  percentage: { kind: "percentage", percent: 8.875 },
  amount: { kind: "amount", percent: undefined, amount: 5 },
  free_shipping: { kind: "free_shipping", percent: undefined },
  buy_x_get_y: { kind: "buy_x_get_y", percent: 50, buy_quantity: 2, get_quantity: 1 },
};

describe("creating a discount", () => {
  it("returns the whole record, and stores the code in capitals", async () => {
    const { status, body, headers } = await create({ code: " spring-26_x " });
    expect(status).toBe(201);
    expect(headers.get("Location")).toBe(`/api/v1/admin/discounts/${body.data.id}`);
    expect(body.data).toEqual({
      id: expect.any(Number),
      name: "Ten off",
      code: "SPRING-26_X",
      kind: "percentage",
      percent: 10,
      amount: null,
      buy_quantity: null,
      get_quantity: null,
      applies_to: "all_products",
      product_ids: [],
      category_ids: [],
      minimum_subtotal: null,
      first_order_only: false,
      starts_at: null,
      ends_at: null,
      max_uses: null,
      max_uses_per_customer: null,
      combinable: true,
      priority: 0,
      enabled: true,
      uses: 0,
      state: "active",
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await rowOf(body.data.id)).toMatchObject({ code: "SPRING-26_X", percent: 100_000 });
    expect((await ask(`GET /admin/discounts/${body.data.id}`)).body.data).toEqual(body.data);
  });

  it("stores everything sent, with ids once and in order, and logs it as it was sent", async () => {
    const [one, two] = [await aProduct(), await aProduct()];
    const category = await aCategory("Discounted");
    const fields = {
      name: "Two for one",
      code: "TWO-FOR-ONE",
      ...kinds.buy_x_get_y,
      percent: 8.875,
      category_ids: [category.id],
      minimum_subtotal: 20.5,
      first_order_only: true,
      starts_at: "2026-01-01T00:00:00.000Z",
      ends_at: "2036-01-01T00:00:00.000Z",
      max_uses: 3,
      max_uses_per_customer: 1,
      combinable: false,
      priority: -5,
      enabled: false,
    };
    const { body } = await create({ ...fields, product_ids: [two.id, one.id, two.id] });
    const expected = { ...fields, applies_to: "selected_products", product_ids: [one.id, two.id] };
    expect(body.data).toMatchObject({ ...expected, state: "disabled", uses: 0 });
    const log = await db.select().from(auditLog).where(eq(auditLog.subjectId, body.data.id)).orderBy(desc(auditLog.id));
    expect(log[0]).toMatchObject({ action: "discount.create", subject: "discount", before: null });
    expect(log[0]?.after).toEqual({ ...expected, amount: null });
  });

  it("can be created without a code any number of times, and then applies automatically", async () => {
    for (const name of ["One", "Another"]) {
      const { status, body } = await create({ name, code: null });
      expect([status, body.data.name, body.data.code]).toEqual([201, name, null]);
    }
  });

  it("is created once when it is repeated with an idempotency key", async () => {
    const [sent, headers] = [aRequest(), { "Idempotency-Key": "a-discount" }];
    const first = await ask("POST /admin/discounts", sent, headers);
    const again = await ask("POST /admin/discounts", sent, headers);
    expect(again.body.data).toEqual(first.body.data);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
  });

  it.each(Object.values(kinds))("accepts the fields of its kind: %j", async (fields) => {
    const { status, body } = await create(fields);
    expect(status, JSON.stringify(body)).toBe(201);
  });

  it("makes the second product free by default", async () => {
    expect((await create({ ...kinds.buy_x_get_y, percent: undefined })).body.data.percent).toBe(100);
    expect((await create({ ...kinds.buy_x_get_y, percent: null })).body.data.percent).toBe(100);
    expect((await create(kinds.buy_x_get_y)).body.data.percent).toBe(50);
  });

  it.each([
    [{ value: 10, percent: undefined }, ["percent", "value"]],
    [{ colour: "red", kind: "amount", percent: undefined }, ["amount", "colour"]],
    [{ colour: "red", kind: "buy_x_get_y", percent: undefined, buy_quantity: 1 }, ["colour", "get_quantity"]],
    [{ colour: "red", kind: undefined, percent: undefined }, ["colour", "kind"]],
  ])("names unknown and missing fields together: %j", async (fields, named) => {
    const { body } = await create(fields);
    expect(Object.keys(body.errors).sort()).toEqual(named);
  });

  it.each([
    ["name", "too_small", { name: " " }],
    ["name", "invalid_format", { name: "two\nlines" }],
    ["name", "required", { name: undefined }],
    ["code", "too_small", { code: "AB" }],
    ["code", "too_small", { code: " AB  " }],
    ["code", "too_big", { code: "A".repeat(41) }],
    ["code", "invalid_format", { code: "TEN OFF" }],
    ["code", "invalid_format", { code: "ÜBER" }],
    ["code", "invalid_format", { code: "straße" }],
    ["code", "invalid_type", { code: 100 }],
    ["kind", "invalid_value", { kind: "gift" }],
    ["kind", "required", { kind: undefined }],
    ["percent", "required", { percent: undefined }],
    ["percent", "required", { percent: null }],
    ["percent", "too_small", { percent: 0 }],
    ["percent", "too_small", { percent: -10 }],
    ["percent", "too_big", { percent: 100.0001 }],
    ["percent", "too_precise", { percent: 8.87501 }],
    ["percent", "invalid_type", { percent: "10" }],
    ["amount", "not_applicable", { amount: 5 }],
    ["amount", "required", { kind: "amount", percent: undefined }],
    ["amount", "too_small", { ...kinds.amount, amount: 0 }],
    ["amount", "too_precise", { ...kinds.amount, amount: 1.005 }],
    ["percent", "not_applicable", { ...kinds.amount, percent: 10 }],
    ["percent", "not_applicable", { ...kinds.free_shipping, percent: 10 }],
    ["buy_quantity", "not_applicable", { buy_quantity: 1 }],
    ["get_quantity", "not_applicable", { get_quantity: 1 }],
    ["buy_quantity", "required", { ...kinds.buy_x_get_y, buy_quantity: null }],
    ["get_quantity", "required", { ...kinds.buy_x_get_y, get_quantity: null }],
    ["buy_quantity", "too_small", { ...kinds.buy_x_get_y, buy_quantity: 0 }],
    ["get_quantity", "too_big", { ...kinds.buy_x_get_y, get_quantity: 1001 }],
    ["product_ids.0", "unknown_reference", { product_ids: [999_999] }],
    ["category_ids.0", "unknown_reference", { category_ids: [999_999] }],
    ["product_ids.0", "too_small", { product_ids: [0] }],
    ["product_ids", "too_big", { product_ids: Array.from({ length: 501 }, (_, n) => n + 1) }],
    ["category_ids", "too_big", { category_ids: Array.from({ length: 101 }, (_, n) => n + 1) }],
    ["minimum_subtotal", "too_small", { minimum_subtotal: 0 }],
    ["first_order_only", "invalid_type", { first_order_only: 1 }],
    ["starts_at", "invalid_format", { starts_at: "tomorrow" }],
    ["ends_at", "invalid", { starts_at: at(DAY), ends_at: at(0) }],
    ["ends_at", "invalid", { starts_at: "2030-01-01T00:00:00Z", ends_at: "2030-01-01T00:00:00Z" }],
    ["max_uses", "too_small", { max_uses: 0 }],
    ["max_uses_per_customer", "invalid_type", { max_uses_per_customer: 1.5 }],
    ["priority", "too_big", { priority: 1_001 }],
    ["uses", "unknown_field", { uses: 0 }],
    ["state", "unknown_field", { state: "active" }],
  ])("refuses a wrong %s as %s, and leaves nothing behind: %j", async (field, code, fields) => {
    const before = [await db.$count(discounts), await db.$count(auditLog)];
    const refused = await create(fields);
    expectRefusal(refused, 400, field);
    expect(codesOf(refused)).toEqual([[field, code]]);
    expect([await db.$count(discounts), await db.$count(auditLog)]).toEqual(before);
  });

  it("reports all problems of the discount as a whole at once", async () => {
    const known = await aProduct();
    const refused = await create({ ...kinds.amount, percent: 1, amount: null, product_ids: [known.id, 999_999] });
    expect(codesOf(refused)).toEqual([
      ["percent", "not_applicable"],
      ["amount", "required"],
      ["product_ids.1", "unknown_reference"],
    ]);
  });

  it("refuses a code that exists in any case, also of two simultaneous requests", async () => {
    await create({ code: "TAKEN" });
    const refused = await create({ code: "taken" });
    expectRefusal(refused, 400, "code");
    expect(refused.body.code).toBe("discount_code_taken");
    const both = await Promise.all([create({ code: "at-once" }), create({ code: "AT-ONCE" })]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 400]);
  });
});

describe("changing a discount", () => {
  it("changes only the fields that are sent, with its audit entry", async () => {
    const { id } = await aDiscount({ minimumSubtotal: 500 });
    const before = await rowOf(id);
    const { status, body } = await change(id, { percent: 12.5, ends_at: "2036-01-01T00:00:00.000Z" });
    expect([status, body.data.percent, body.data.minimum_subtotal]).toEqual([200, 12.5, 5]);
    expect(await rowOf(id)).toEqual({
      ...before,
      percent: 125_000,
      endsAt: Date.parse("2036-01-01T00:00:00Z"),
      updatedAt: expect.any(Number),
    });
    const log = await db.select().from(auditLog).where(eq(auditLog.subjectId, id)).orderBy(desc(auditLog.id));
    expect(log[0]).toMatchObject({
      action: "discount.update",
      before: { percent: 10, ends_at: null },
      after: { percent: 12.5, ends_at: "2036-01-01T00:00:00.000Z" },
    });
  });

  it("does not undo redemptions that are counted meanwhile", async () => {
    const { id } = await aDiscount({ maxUses: 10 });
    const uses = () => db.update(discounts).set({ uses: 4 }).where(eq(discounts.id, id));
    const DB = interleaved(env.DB, uses);
    const { status, body } = await callWith({ DB }, `PUT /admin/discounts/${id}`, {
      as: admin.token,
      body: { name: "Renamed" },
    });
    expect([status, body.data.name, body.data.uses]).toEqual([200, "Renamed", 4]);
  });

  it.each([
    ["percent", "required", { percent: null }],
    ["amount", "not_applicable", { amount: 5 }],
    ["amount", "required", { kind: "amount" }],
    ["percent", "not_applicable", { kind: "amount", amount: 5, percent: 10 }],
    ["get_quantity", "required", { kind: "buy_x_get_y", buy_quantity: 1 }],
    ["ends_at", "invalid", { ends_at: "2026-01-01T00:00:00Z" }],
    ["ends_at", "invalid", { starts_at: "2037-01-01T00:00:00Z" }],
    ["product_ids.0", "unknown_reference", { product_ids: [999_999] }],
    ["category_ids.0", "unknown_reference", { category_ids: [999_999] }],
    ["body", "nothing_to_change", {}],
  ])("is refused if %s does not fit its other fields, as %s: %j", async (field, code, fields) => {
    const { id } = await aDiscount({
      startsAt: Date.parse("2026-01-01T00:00:00Z"),
      endsAt: Date.parse("2036-01-01T00:00:00Z"),
    });
    const before = await rowOf(id);
    const refused = await change(id, fields);
    expectRefusal(refused, 400, field);
    expect(codesOf(refused)).toEqual([[field, code]]);
    expect(await rowOf(id)).toEqual(before);
  });

  it("to another kind clears the fields of the previous kind", async () => {
    const { id } = await aDiscount();
    expect((await change(id, { kind: "free_shipping" })).body.data).toMatchObject({ percent: null });
    expect((await change(id, { kind: "buy_x_get_y", buy_quantity: 3, get_quantity: 1 })).body.data).toMatchObject({
      percent: 100,
      buy_quantity: 3,
      get_quantity: 1,
    });
    expect((await change(id, { kind: "amount", amount: 2.5 })).body.data).toMatchObject({
      percent: null,
      amount: 2.5,
      buy_quantity: null,
      get_quantity: null,
    });
    expect((await change(id, { kind: "amount", name: "The same kind" })).body.data.amount).toBe(2.5);
  });

  it("removes a code, restores one, and refuses a code of another discount", async () => {
    const [{ id }, other] = [await aDiscount(), await aDiscount()];
    expect((await change(id, { code: null })).body.data.code).toBeNull();
    const code = `BACK-${++made}`;
    expect((await change(id, { code: code.toLowerCase() })).body.data.code).toBe(code);
    expect((await change(id, { code: code.toLowerCase() })).status).toBe(200);
    const refused = await change(id, { code: other.code?.toLowerCase() });
    expect([refused.status, refused.body.code]).toEqual([400, "discount_code_taken"]);
  });

  it("drops deleted products, and disables the discount rather than applying it to everything", async () => {
    const [product, category] = [await aProduct(), await aCategory("Gone")];
    const { id } = await aDiscount({ productIds: [product.id], categoryIds: [category.id] });
    const kept = await aProduct();
    const other = await aDiscount({ productIds: [kept.id], categoryIds: [category.id] });
    expect((await ask(`DELETE /admin/products/${product.id}`)).status).toBe(204);
    expect(await rowOf(id)).toMatchObject({ productIds: [], categoryIds: [category.id], enabled: true });
    expect((await ask(`DELETE /admin/categories/${category.id}`)).status).toBe(204);
    expect(await rowOf(other.id)).toMatchObject({ productIds: [kept.id], categoryIds: [], enabled: true });
    const { body } = await change(id, { name: "Covers nothing" });
    const nothing = { applies_to: "selected_products", product_ids: [], category_ids: [] };
    expect(body.data).toMatchObject({ ...nothing, enabled: false });
    expectRefusal(await change(id, { product_ids: [product.id] }), 400, "product_ids.0");
    const refused = await change(id, { enabled: true });
    expectRefusal(refused, 400, "product_ids");
    expect(refused.body.details[0].code).toBe("required");
    const all = await change(id, { enabled: true, applies_to: "all_products" });
    expect(all.body.data).toMatchObject({ ...nothing, applies_to: "all_products", enabled: true });
  });

  it("covers the products it names until it is changed to all products, which clears the list", async () => {
    const product = await aProduct();
    const { id } = await aDiscount();
    const named = await change(id, { product_ids: [product.id] });
    expect(named.body.data).toMatchObject({ applies_to: "selected_products", product_ids: [product.id] });
    expectRefusal(await change(id, { product_ids: [] }), 400, "product_ids");
    expectRefusal(await change(id, { applies_to: "all_products", product_ids: [product.id] }), 400, "applies_to");
    const all = await change(id, { applies_to: "all_products" });
    expect(all.body.data).toMatchObject({ applies_to: "all_products", product_ids: [] });
    expectRefusal(await change(id, { applies_to: "selected_products" }), 400, "product_ids");
    await db
      .update(discounts)
      .set({ productIds: [product.id] })
      .where(eq(discounts.id, id));
    expect(await rowOf(id)).toMatchObject({ appliesTo: "selected_products" });
  });
});

it("stores codes only in capitals, whoever writes them", async () => {
  const made = await aDiscount({ code: "lower" }).catch((error: unknown) => error);
  expect(violates(made, "discount_code_not_upper_case")).toBe(true);
  const { id, code } = await aDiscount();
  const write = db.update(discounts).set({ code: "lower" }).where(eq(discounts.id, id));
  expect(violates(await write.run().catch((error: unknown) => error), "discount_code_not_upper_case")).toBe(true);
  expect((await rowOf(id))?.code).toBe(code);
});

it("is deleted if nobody has used it, and the audit log keeps it", async () => {
  const { id } = await aDiscount({ name: "Never used" });
  expect((await ask(`DELETE /admin/discounts/${id}`)).status).toBe(204);
  expect((await ask(`GET /admin/discounts/${id}`)).status).toBe(404);
  const log = await db.select().from(auditLog).where(eq(auditLog.subjectId, id)).orderBy(desc(auditLog.id));
  expect(log[0]).toMatchObject({ action: "discount.delete", before: { name: "Never used", percent: 10 }, after: null });
});

describe("the list of discounts", () => {
  it("is newest first, and searched by state, kind, and the beginning of a code or name", async () => {
    const columns = { startsAt: Date.now() - DAY, endsAt: Date.now() + DAY };
    const states = {
      active: await aDiscount({ ...columns, name: "Listed a", maxUses: 2, uses: 1 }),
      scheduled: await aDiscount({ ...columns, name: "Listed b", startsAt: Date.now() + DAY / 2, maxUses: 1, uses: 1 }),
      ended: await aDiscount({ ...columns, name: "Listed c", startsAt: Date.now() - DAY, endsAt: Date.now() - 1 }),
      used_up: await aDiscount({ ...columns, name: "Listed d", maxUses: 2, uses: 2 }),
      disabled: await aDiscount({ name: "Listed e", enabled: false, endsAt: Date.now() - 1 }),
      free: await aDiscount({ name: "LISTED f", code: "FREE_X", kind: "free_shipping", percent: null }),
    };
    const found = async (query: string) =>
      (await ask(`GET /admin/discounts?${query}`)).body.data.map(({ id }: { id: number }) => id);
    const { free, ...named } = states;
    expect(await found("search=lISTED")).toEqual(
      Object.values(states)
        .map(({ id }) => id)
        .reverse(),
    );
    for (const [state, { id }] of Object.entries(named)) {
      const query = `search=Listed&state=${state}`;
      expect(await found(query), state).toEqual(state === "active" ? [free.id, id] : [id]);
      expect((await ask(`GET /admin/discounts/${id}`)).body.data.state).toBe(state);
    }
    expect(await found("search=Listed&kind=free_shipping")).toEqual([free.id]);
    expect(await found(`search=${states.ended.code?.toLowerCase()}`)).toEqual([states.ended.id]);
    expect(await found("search=free_")).toEqual([free.id]);
    expect(await found("search=%25")).toEqual([]);
    expect(await found("search=isted")).toEqual([]);
    expect(await found(`search=${"y".repeat(100)}`)).toEqual([]);
    const { body } = await ask("GET /admin/discounts?search=Listed&per_page=2&page=3");
    expect(body.pagination).toMatchObject({ total_items: 6, total_pages: 3 });
    expectRefusal(await ask("GET /admin/discounts?state=all"), 400, "state");
    expectRefusal(await ask("GET /admin/discounts?kind=gift"), 400, "kind");
  });
});

it("names a missing field beside an unknown one", async () => {
  const refused = await ask("POST /admin/discounts", { name: "Ten off", percent: 10, surprise: true });
  expect(refused.body.details).toEqual([
    { field: "kind", code: "required" },
    { field: "surprise", code: "unknown_field" },
  ]);
});
