import { expect, it } from "vitest";
import { ApiError } from "../../../../src/domain/errors.ts";
import { hasMoreValues, refusePrototypeKeysInBody } from "../../../../src/platform/http/validate.ts";

it("counts the values of a JSON text, whatever its strings contain", () => {
  expect(hasMoreValues(JSON.stringify({ text: '[{,"\\'.repeat(10_000) }), 2)).toBe(false);
  expect(hasMoreValues(JSON.stringify(['\\",[', 1, 2]), 4)).toBe(false);
  expect(hasMoreValues(JSON.stringify(['\\",[', 1, 2]), 3)).toBe(true);
});

it.each([
  ['{"__proto__":1}', "__proto__"],
  ['{"filters":{"__proto__":"x"}}', "filters.__proto__"],
  [String.raw`{"filters":{"\u005f_proto__":"x"}}`, "filters.__proto__"],
  [String.raw`{"items":[{"a":1},{"__prot\u006F__":{}}]}`, "items.1.__proto__"],
])("is refused anywhere, however it is escaped: %s", (text, field) => {
  expect.assertions(2);
  try {
    refusePrototypeKeysInBody(text);
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 400, fields: [{ field, code: "unknown_field" }] });
  }
});

it.each(["", "{}", '{"name":"__proto__"}', String.raw`{"name":"caf\u00e9"}`])("accepts other bodies: %s", (text) => {
  expect(() => refusePrototypeKeysInBody(text)).not.toThrow();
});
