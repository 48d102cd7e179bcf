import { expect, it } from "vitest";
import { resolve } from "../../../../scripts/openapi/published.ts";
import { commonCodes } from "../../../../scripts/openapi/refusals.ts";
import { groups, type Route } from "../../../../scripts/reference/document.ts";
import { refusalCodes } from "../../../../src/domain/error-codes.ts";

const errorsOf = ({ operationId, responses }: Route) =>
  Object.entries(responses)
    .filter(([status]) => status >= "400")
    .map(([status, response]) => ({ operationId, status, response: resolve(response), isShared: "$ref" in response }));

const errors = groups.flatMap(({ routes }) => routes.flatMap(errorsOf));

const codesOf = ({ content }: (typeof errors)[number]["response"]) =>
  content?.["application/json"]?.schema.properties?.code?.enum;

it("types and explains the codes that only some operations answer", () => {
  const own = errors.filter(({ isShared }) => !isShared);
  expect(own.length).toBeGreaterThan(80);
  for (const { operationId, status, response } of own) {
    const codes = Object.keys(refusalCodes).filter((code) => codesOf(response)?.includes(code));
    expect(codes.toSorted(), operationId).toEqual(codesOf(response)?.toSorted());
    const explained = Array.from(response.description.matchAll(/^- `(\w+)`: ./gm), ([, code = ""]) => code);
    expect([...explained, ...(commonCodes[status] ?? [])].toSorted(), operationId).toEqual(codes.toSorted());
  }
});

it("lists every code of the API at an operation, or for all of them", () => {
  const listed = new Set([
    ...errors.flatMap(({ response }) => codesOf(response) ?? []),
    ...Object.values(commonCodes).flat(),
  ]);
  const elsewhere = Object.keys(refusalCodes).filter((code) => !listed.has(code));
  // Addresses that are no operation, and the pages of the panel.
  expect(elsewhere).toEqual(["cross_site_request", "method_not_allowed"]);
});
