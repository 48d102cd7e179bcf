import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import { operations } from "../../../../scripts/fuzz/document.ts";
import { document, resolve } from "../../../../scripts/openapi/published.ts";
import type { JsonSchema } from "../../../../scripts/openapi/shape.ts";

const validatorOf = (schema: JsonSchema | undefined) => new Ajv2020({ strict: false }).compile(schema ?? false);

const propertyOf = (component: string, name: string): JsonSchema | undefined =>
  resolve<JsonSchema>({ $ref: `#/components/schemas/${component}` }).properties?.[name];

const minPrice = operations
  .find(({ operationId }) => operationId === "listProducts")
  ?.parameters.find(({ name }) => name === "min_price");

const places: [string, JsonSchema | undefined][] = [
  ["the price of a product that is answered", propertyOf("Product", "price")],
  ["the price of a product that is sent", propertyOf("ProductCreate", "price")],
  ["a price in a query", minPrice?.schema],
];

it.each(places)("lets a validator with default settings accept every amount as %s", (_, schema) => {
  const validate = validatorOf(schema);
  const minors = [...Array(100_000).keys(), 12_345_678, 123_456_789, 999_999_998, 999_999_999];
  expect(minors.filter((minor) => !validate(minor / 100))).toEqual([]);
  expect([validate(-0.01), validate("0.07")]).toEqual([schema?.minimum === undefined, false]);
});

it("has patterns that mean the same with and without the Unicode flag", () => {
  const patterns = [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\\\]|\\\\.)*")/g)].map(([, text]) =>
    JSON.parse(text ?? ""),
  );
  const texts = [
    "",
    "a",
    "Crème brûlée",
    "日本",
    "🧺 basket",
    "a\u0000",
    "a\u007f",
    "a\u0085",
    "/images/1.svg",
    "//evil.test/x",
  ];
  expect(patterns.length).toBeGreaterThan(20);
  for (const pattern of new Set(patterns)) {
    const [plain, unicode] = [new RegExp(pattern), new RegExp(pattern, "u")];
    expect(texts.filter((text) => plain.test(text) !== unicode.test(text))).toEqual([]);
  }
});
