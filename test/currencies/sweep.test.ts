import { beforeAll, describe, expect, it } from "vitest";
import document from "../../public/openapi.json";
import { shopCurrency } from "../../src/domain/money.ts";
import { scenarios } from "../faults/scenarios.ts";
import { anAdmin } from "../support/administration.ts";
import { call, callWith } from "../support/call.ts";
import { aUser } from "../support/shop.ts";

// Every amount in the API uses the currency of the deployment. The amounts to test come from the OpenAPI document.

type Schema = {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
};
type Media = Record<string, { schema: Schema }>;
type Operation = {
  operationId: string;
  parameters?: { $ref?: string; name: string; in: string; schema: Schema }[];
  requestBody?: { content: Media };
  responses: Record<string, { $ref?: string; content?: Media }>;
};

/** Numbers that are no amounts: percentages, and `value` of a quantity. */
const OTHERS = new Set(["percent", "price_percent", "rate", "margin", "value"]);

/** Repeated here on purpose, so that the sweep does not rely on the table that it tests. */
const DECIMALS: Record<string, number> = { USD: 2, JPY: 0, KWD: 3 };
const decimals = DECIMALS[shopCurrency()] ?? Number.NaN;

/** An amount with one decimal more than the currency has. */
const TOO_PRECISE = 1 + 5 / 10 ** (decimals + 1);

const resolved = <Part extends { $ref?: string }>(part: Part): Part =>
  part.$ref === undefined
    ? part
    : (part.$ref
        .split("/")
        .slice(1)
        .reduce((whole: object, name) => Reflect.get(whole, name), document) as Part);

/** Paths of the numeric fields that are not integers: amounts, percentages and quantities. */
function numbersIn(schema: Schema, path: string[] = [], within: string[] = []): string[][] {
  const { $ref } = schema;
  if ($ref !== undefined && within.includes($ref)) return [];
  const inside = $ref === undefined ? within : [...within, $ref];
  const { type = [], properties = {}, items, allOf = [], anyOf = [], oneOf = [] } = resolved(schema);
  return [
    ...([type].flat().includes("number") ? [path] : []),
    ...Object.entries(properties).flatMap(([name, property]) => numbersIn(property, [...path, name], inside)),
    ...(items ? numbersIn(items, [...path, "0"], inside) : []),
    ...[...allOf, ...anyOf, ...oneOf].flatMap((choice) => numbersIn(choice, path, inside)),
  ];
}

const amountsIn = (content: Media = {}): string[][] =>
  Object.values(content)
    .flatMap(({ schema }) => numbersIn(schema))
    .filter((path) => !OTHERS.has(path.at(-1) ?? ""));

const operations = Object.entries(document.paths as unknown as Record<string, Record<string, Operation>>).flatMap(
  ([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

/** A body with one field, by its path. */
const bodyOf = ([name, ...rest]: string[], value: number): unknown => {
  if (name === undefined) return value;
  const inner = bodyOf(rest, value);
  return name === "0" ? [inner] : { [name]: inner };
};

/** Each item of a batch is refused on its own, by test/imports/batch.test.ts. */
const whole = operations.filter(({ path }) => !path.endsWith("/products/batch"));

const requests = whole.flatMap(({ path, method, operation }) => {
  const line = `${method.toUpperCase()} https://shop.test${path.replaceAll(/\{\w+\}/g, path.includes("format") ? "csv" : "1")}`;
  const inQuery = (operation.parameters ?? [])
    .map(resolved)
    .filter(({ in: where, schema }) => where === "query" && numbersIn(schema).length > 0)
    .map(({ name }) => ({ line: `${line}?${name}=${TOO_PRECISE}`, field: name, body: undefined }));
  const inBody = amountsIn(operation.requestBody?.content).map((field) => ({
    line,
    field: field.join("."),
    body: bodyOf(field, TOO_PRECISE),
  }));
  return [...inQuery, ...inBody];
});

const words =
  decimals === 0 ? "must have no decimals" : `must have at most ${decimals === 2 ? "two" : "three"} decimals`;

describe("an amount below the smallest unit", () => {
  let as: string;

  beforeAll(async () => {
    as = (await aUser({ role: "admin" })).token;
  });

  it.each(requests)("is refused by $line as $field", async ({ line, field, body }) => {
    const answer = await call(line, {
      as,
      ...(body !== undefined && { body }),
      headers: { "Idempotency-Key": "precise" },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.details).toContainEqual(expect.objectContaining({ field, code: "too_precise" }));
    expect(answer.body.errors[field]).toEqual([words]);
  });

  it("is tested in every request with amounts", () => {
    expect(requests.length).toBeGreaterThan(20);
  });
});

/** The paths of amounts in responses, by the route that returns them. */
const returned = new Map(
  operations
    .map(({ path, method, operation }): [route: string, amounts: string[][]] => [
      `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
      Object.entries(operation.responses)
        .filter(([status]) => status.startsWith("2"))
        .flatMap(([, response]) => amountsIn(resolved(response).content)),
    ])
    .filter(([, amounts]) => amounts.length > 0),
);

const moneyNames = new Set(
  [...returned.values()].flat().flatMap((path) => path.findLast((name) => name !== "0") ?? []),
);

const withAmounts = Object.entries(scenarios).filter(([route]) => returned.has(route.replace(/: .*/, "")));

/** Amounts in a response, by name. */
function amountsOf(value: unknown, name = ""): [name: string, amount: number][] {
  if (typeof value === "number") return moneyNames.has(name) ? [[name, value]] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => amountsOf(each, Array.isArray(value) ? name : key));
}

const shown = new Set<string>();

describe.each(withAmounts)("%s", (_, prepare) => {
  it("returns amounts in whole minor units", async () => {
    const { line, bindings = {}, ...options } = await prepare(anAdmin);
    const { status, body } = await callWith(bindings, line, options);
    expect(status).toBeLessThan(400);
    for (const [name, amount] of amountsOf(body)) {
      shown.add(name);
      expect(Number(amount.toFixed(decimals)), name).toBe(amount);
    }
  });
});

it("has covered every amount, and every route that returns one", () => {
  const covered = new Set(withAmounts.map(([route]) => route.replace(/: .*/, "")));
  expect([...returned.keys()].filter((route) => !covered.has(route))).toEqual([]);
  expect([...moneyNames].filter((name) => !shown.has(name))).toEqual([]);
});
