import { eq, inArray } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { categories } from "../../src/platform/db/schema.ts";
import { call, callWith } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aCategory, aKey, aProduct, aUser, db } from "../support/shop.ts";

let key: string;
let lamps: { id: number; slug: string };

beforeAll(async () => {
  ({ key } = await aKey({ permissions: ["products:read"] }));
  lamps = await aCategory("Desk Lamps");
  await db.update(categories).set({ name: "Désk Lamps" }).where(eq(categories.id, lamps.id));
  await aProduct({ categoryId: lamps.id, sku: "LAMP" });
  await aProduct({ categoryId: (await aCategory("Chairs")).id, sku: "CHAIR" });
});

const skusIn = async (category: string | number, more = "") => {
  const { status, body } = await call(`GET /products?category=${encodeURIComponent(category)}${more}`, { as: key });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.map(({ sku }: { sku: string }) => sku);
};

it("accepts a category's slug, id or name", async () => {
  const named = [lamps.slug, lamps.slug.toUpperCase(), lamps.id, `0${lamps.id}`, "Désk Lamps", "désk LAMPS"];
  for (const category of named) expect(await skusIn(category), String(category)).toEqual(["LAMP"]);
  for (const more of [
    "&search=lamp",
    "&sort=price&min_price=1",
    "&sort=name&min_price=1",
    "&sort=name&page=2&per_page=1",
  ]) {
    expect(await skusIn(lamps.id, more)).toEqual(more.includes("page=2") ? [] : ["LAMP"]);
  }
});

it("tries an ambiguous value as a slug first, then as an id", async () => {
  const [first, second, third] = [
    await aCategory("Years"),
    await aCategory("More years"),
    await aCategory("Most years"),
  ];
  for (const [index, { id }] of [first, second, third].entries())
    await aProduct({ categoryId: id, sku: `YEAR-${index}` });
  await db
    .update(categories)
    .set({ slug: String(second.id) })
    .where(eq(categories.id, first.id));
  await db
    .update(categories)
    .set({ name: String(first.id) })
    .where(eq(categories.id, third.id));
  expect(await skusIn(second.id)).toEqual(["YEAR-0"]);
  expect(await skusIn(first.id)).toEqual(["YEAR-0"]);
  expect(await skusIn("more-years")).toEqual(["YEAR-1"]);
});

it.each(["", "&search=lamp", "&min_price=1", "&min_price=1&sort=name", "&status=draft", "&page=7"])(
  "refuses an unknown category by its field, in the list's only round trip: %s",
  async (more) => {
    for (const category of ["no-such", "987654", "99999999999999999999", "' OR 1=1 --", "Désk", "%25", "lamps*"]) {
      const { bindings, trips } = counted();
      const as = (await aUser()).token;
      const answer = await callWith(bindings, `GET /products?category=${encodeURIComponent(category)}${more}`, { as });
      expectRefusal(answer, 400, "category");
      expect(trips.d1).toBe(1);
    }
  },
);

it("is ignored if it is empty", async () => {
  expect(await skusIn("")).toEqual(expect.arrayContaining(["LAMP", "CHAIR"]));
});

it("refuses a name that several categories have", async () => {
  const [first, second] = [await aCategory("Years"), await aCategory("Other years")];
  await db
    .update(categories)
    .set({ name: "Twins" })
    .where(inArray(categories.id, [first.id, second.id]));
  const { status, body } = await call("GET /products?category=twins", { as: key });
  expect([status, body.errors.category]).toEqual([400, [expect.stringContaining("Send the slug")]]);
  expect(await skusIn(first.id)).toEqual([]);
});
