import { expect, it } from "vitest";
import { type Parent, Parents } from "../../../../../src/back-office/imports/woocommerce/parents.ts";

const aParent = (id: string, sku: string, description = ""): Parent => ({
  ...{ line: Number(id), id, sku, name: sku, description, status: "active", category: undefined, pictures: [] },
  ...{ taxClass: undefined, weight: null, stock: undefined, hasVariations: false },
});

it("finds a variable product by its id and by its SKU, the latest of two with one SKU", () => {
  const parents = new Parents();
  const [first, second] = [aParent("1", "TEE"), aParent("2", "TEE")];
  parents.add(first);
  parents.add(second);
  expect([parents.find("id:1"), parents.find("id:2"), parents.find("TEE")]).toEqual([first, second, second]);
  expect([parents.find(""), parents.find("id:"), parents.find("1")]).toEqual([undefined, undefined, undefined]);
});

it("forgets the oldest when they are more than it keeps, and says which", () => {
  const parents = new Parents();
  const large = "x".repeat(9 * 1024 * 1024);
  const [first, second, third] = [aParent("1", "TEE", large), aParent("2", "TEE"), aParent("3", "CAP", large)];
  expect([...parents.add(first), ...parents.add(second)]).toEqual([]);
  expect(parents.add(third)).toEqual([first]);
  expect([parents.find("id:1"), parents.find("TEE"), parents.find("CAP")]).toEqual([undefined, second, third]);
  expect([...parents.all()]).toEqual([second, third]);
});

const LONG = "x".repeat(250_000);
it.each([
  ["SKU", { sku: LONG }],
  ["id", { id: LONG }],
  ["category", { category: LONG }],
  ["stock", { stock: LONG }],
  ["weight", { weight: LONG }],
  ["picture", { pictures: [{ url: LONG, alt: "" }] }],
])("counts whatever may be long of them: the %s", (_, long) => {
  const parents = new Parents();
  const plain = aParent("1", "TEE");
  for (let at = 0; at < 80; at++) parents.add({ ...plain, ...long });
  expect([...parents.all()]).toHaveLength(66);
});
