import { readdirSync, statSync } from "node:fs";
import { expect, it } from "vitest";
import { products } from "../../../../scripts/demo/catalogue.ts";

const FOLDER = "public/demo";

it("has an image of its own for each product of the demo, in less than 300 kB together", () => {
  const names = readdirSync(FOLDER);
  expect(names.toSorted()).toEqual(products.map(({ slug }) => `${slug}.svg`).toSorted());
  expect(names.reduce((sum, name) => sum + statSync(`${FOLDER}/${name}`).size, 0)).toBeLessThan(300_000);
});
