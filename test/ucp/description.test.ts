import { expect, it } from "vitest";
import { toUcpProduct } from "../../src/ucp/catalog.ts";

it("renders a description once, however many variants a product has", () => {
  let reads = 0;
  const variants = Array.from({ length: 100 }, (_, id) => ({
    ...{ id, sku: `S-${id}`, optionValues: [{ name: "Size", value: String(id) }], price: 100, compareAtPrice: null },
    ...{ inStock: true, stockQuantity: null, status: "active" as const, image: null },
  }));
  const row = {
    ...{
      id: 1,
      slug: "lamp",
      name: "Lamp",
      price: 100,
      highestVariantPrice: null,
      barcode: null,
      images: [],
      tags: [],
    },
    ...{ options: [{ name: "Size", values: [] }], categoryPath: null, variants },
    get description() {
      reads++;
      return "Of **brass**";
    },
  };
  const facts = { settings: { currency: "USD", email: { shopUrl: null } }, origin: "https://shop.test" };
  const product = Reflect.apply(toUcpProduct, null, [row, facts, variants]);
  expect(product.variants.at(-1)).toMatchObject({ description: { plain: "Of brass", markdown: "Of **brass**" } });
  expect(reads).toBeLessThan(10);
});
