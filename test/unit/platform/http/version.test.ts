import { expect, it } from "vitest";
import { requireMatch } from "../../../../src/platform/http/version.ts";

it.each(['"current"', 'W/"current"', '"old", W/"current"', "*", " * ", null, undefined])("accepts %s", (header) => {
  expect(() => requireMatch(header, '"current"')).not.toThrow();
});

it.each(['"old"', 'W/"old"', 'W/"old", "older"', "current", ""])("refuses %s", (header) => {
  expect(() => requireMatch(header, '"current"')).toThrow(expect.objectContaining({ status: 412 }));
});
