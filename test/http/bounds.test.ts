import { describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { anAdministrator, aVisitor } from "../support/panel.ts";
import { aKey } from "../support/shop.ts";

const SIGN_IN = "/admin/sign-in";

const fields = (count: number) => ({ email: Array.from({ length: count }, () => "a@b.test") });

describe("a form", () => {
  it.each([30_000, 201])("of %i fields is refused before it is parsed", async (count) => {
    const { status, html } = await aVisitor().post(SIGN_IN, fields(count));
    expect(status).toBe(400);
    expect(html).toContain("must have at most 200 fields");
  });

  it("may have 200 fields", async () => {
    expect((await aVisitor().post(SIGN_IN, { ...fields(199), password: "wrong" })).status).toBe(401);
  });

  it("of selected rows may have a thousand more", async () => {
    const { post } = await anAdministrator();
    const ids = (count: number) => Array.from({ length: count }, (_, at) => String(at + 1));
    const told = async (count: number) => (await post("/admin/orders/bulk", { ids: ids(count) })).html;
    expect(await told(1_000)).not.toContain("fields");
    expect(await told(1_201)).toContain("must have at most 1200 fields");
  });

  it.each([SIGN_IN, "/account/verify", "/admin/orders", "/admin/products/bulk"])(
    "from any caller is counted at %s before it is read",
    async (path) => {
      const { post } = aVisitor();
      const answers = await Promise.all(Array.from({ length: 20 }, () => post(path, fields(2_000))));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
      expect((await post(path, { email: "a@b.test", token: "x" })).status).toBe(429);
    },
  );
});

describe("a body of JSON", () => {
  it("gets the first 20 of its unknown fields reported", async () => {
    const { key } = await aKey();
    const unknown = Object.fromEntries(Array.from({ length: 4_000 }, (_, at) => [`field_${at}`, at]));
    const { status, body } = await call("POST /cart", { as: key, body: { product_id: 1, ...unknown } });
    expect([status, body.details.length, Object.keys(body.errors).length]).toEqual([400, 20, 20]);
    expect(body.details[19]).toEqual({ field: "field_19", code: "unknown_field" });
  });

  it.each([
    ["unknown fields", Object.fromEntries(Array.from({ length: 90_000 }, (_, at) => [`f${at}`, 1]))],
    ["items", { items: Array.from({ length: 90_000 }, () => ({})) }],
    ["nested lists", JSON.parse(`${"[".repeat(6_000)}${"]".repeat(6_000)}`)],
  ])("with too many %s is refused before it is validated", async (_, body) => {
    const { key } = await aKey();
    const { status, body: refusal } = await call("POST /orders", { as: key, body });
    expect([status, refusal.details]).toEqual([400, [{ field: "body", code: "too_big", limit: 5_000 }]]);
  });
});

it("refuses a query of more than 200 parameters before it is parsed", async () => {
  const { key } = await aKey();
  const { status, body } = await call(`GET /products?${"a&".repeat(20_000)}`, { as: key });
  expect([status, body.details]).toEqual([400, [{ field: "query", code: "too_big", limit: 200 }]]);
});
