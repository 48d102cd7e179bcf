import { readdirSync, statSync } from "node:fs";
import { basename } from "node:path";
import { expect, it } from "vitest";
import { picturesOf, products } from "../../../../scripts/demo/catalogue.ts";

const FOLDER = "public/demo";

it("has a separate image for each product and pictured variant of the demo, in less than 700 kB together", () => {
  const names = readdirSync(FOLDER);
  const pictured = products.flatMap((product) => [...picturesOf(product).values()].map(({ url }) => basename(url)));
  expect(names.toSorted()).toEqual(pictured.toSorted());
  expect(names.reduce((sum, name) => sum + statSync(`${FOLDER}/${name}`).size, 0)).toBeLessThan(700_000);
});
