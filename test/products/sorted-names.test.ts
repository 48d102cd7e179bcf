import { expect, it } from "vitest";
import { call } from "../support/call.ts";
import { aProduct, aUser } from "../support/shop.ts";

const sorted = ["Äpfel", "Apfelmus", "Birne", "Ofen", "Ölkanne", "Straße", "Strauß", "Zebra"];
const admin = await aUser({ role: "admin", name: "Aaron" });

const namesOf = async (path: string): Promise<string[]> => {
  const { status, body } = await call(`GET /admin/${path}`, { as: admin.token });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.map(({ name }: { name: string }) => name);
};

it("sorts products by name with ä beside a, in a plain list and in a search", async () => {
  for (const name of sorted.toReversed()) await aProduct({ name, description: "sortable" });
  expect(await namesOf("products?sort=name")).toEqual(sorted);
  expect(await namesOf("products?sort=name&search=sortable")).toEqual(sorted);
});

it("keeps a renamed product in order", async () => {
  const { body } = await call("GET /admin/products?search=birne", { as: admin.token });
  const renamed = { name: "Übung" };
  expect((await call(`PUT /admin/products/${body.data[0].id}`, { as: admin.token, body: renamed })).status).toBe(200);
  expect(await namesOf("products?sort=name")).toEqual(
    [...sorted.filter((name) => name !== "Birne"), "Übung"].toSorted(german),
  );
});

it("sorts customers and categories likewise", async () => {
  for (const name of sorted.toReversed()) {
    await aUser({ name });
    expect((await call("POST /admin/categories", { as: admin.token, body: { name } })).status).toBe(201);
  }
  expect((await namesOf("users?sort=name")).filter((name) => name !== "Aaron")).toEqual(sorted);
  expect(await namesOf("categories")).toEqual(sorted);
});

const german = (one: string, other: string): number => one.localeCompare(other, "de");
