import { expect, it } from "vitest";
import { type Parent, Parents } from "../../../../../src/back-office/imports/woocommerce/variations.ts";

const aParent = (id: string, sku: string, stock = ""): Parent => ({
  ...{ id, sku, importedSku: sku, types: ["variable"], options: [], taxClass: undefined, stock },
});

it("finds a variable product by its id and by its SKU, the latest of two with one SKU", () => {
  const parents = new Parents();
  const [first, second] = [aParent("1", "TEE"), aParent("2", "TEE")];
  parents.add(first);
  parents.add(second);
  expect([parents.find("id:1"), parents.find("id:2"), parents.find("TEE")]).toEqual([first, second, second]);
  expect([parents.find(""), parents.find("id:"), parents.find("1")]).toEqual([undefined, undefined, undefined]);
});

it("forgets the oldest beyond its capacity", () => {
  const parents = new Parents();
  const large = "x".repeat(9 * 1024 * 1024);
  const [first, second, third] = [aParent("1", "TEE", large), aParent("2", "TEE"), aParent("3", "CAP", large)];
  for (const parent of [first, second, third]) parents.add(parent);
  expect([parents.find("id:1"), parents.find("TEE"), parents.find("CAP")]).toEqual([undefined, second, third]);
});

const LONG = "x".repeat(250_000);
type Long = Partial<Pick<Parent, "id" | "sku" | "stock" | "options">>;
it.each<[string, Long]>([
  ["SKU", { sku: LONG }],
  ["id", { id: LONG }],
  ["stock", { stock: LONG }],
  ["option", { options: [{ name: "Size", values: [LONG] }] }],
])("counts every text of unlimited length: the %s", (_, long) => {
  const parents = new Parents();
  const each = Array.from({ length: 80 }, (_, at) => ({
    ...aParent(`${long.id ?? ""}${at}`, "TEE"),
    sku: `${long.sku ?? "TEE"}${at}`,
  }));
  for (const { id, sku } of each) parents.add({ ...aParent(id, sku), ...long, id, sku });
  expect(each.filter(({ id }) => parents.find(`id:${id}`)).length).toBeLessThan(68);
});
