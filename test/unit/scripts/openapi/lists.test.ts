import { expect, it } from "vitest";
import { document } from "../../../../scripts/openapi/published.ts";
import { operationsOf } from "../../../../scripts/openapi/shape.ts";

const text = (value: unknown): string => JSON.stringify(value) ?? "";

/** Operations whose data is an array. */
const arrays = [...operationsOf(document)].filter(([, { responses }]) =>
  text(responses["200"]?.content?.["application/json"]).includes('"data":{"type":"array"'),
);

/** A search has a few results of each kind rather than a list. */
const NO_LIST = ["search"];
const lists = arrays.filter(([id]) => !NO_LIST.includes(id));

it("pages through every list in one way", () => {
  expect(lists.length).toBeGreaterThan(40);
  const differing = lists.filter(([, { parameters, responses }]) => {
    const answer = text(responses["200"]);
    const hasPlace =
      /"name":"(page|after_id)"/.test(text(parameters)) && text(parameters).includes('"name":"per_page"');
    return (
      !hasPlace || !answer.includes("#/components/schemas/Pagination") || !answer.includes("#/components/headers/Link")
    );
  });
  expect(differing.map(([id]) => id)).toEqual([]);
});

it("lets only the storefront's products be asked for some of their fields, and no resource for others inside it", () => {
  const shaped = [...operationsOf(document)].filter(([, { parameters }]) =>
    /"name":"(fields|expand|include)"/.test(text(parameters)),
  );
  expect(shaped.map(([id]) => id)).toEqual(["listProducts", "getProduct"]);
});
