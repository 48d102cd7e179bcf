import { expect, it } from "vitest";
import { regionCode } from "../../../src/domain/place.ts";

it.each([
  ["US", "NY", "NY"],
  ["US", "ny", "NY"],
  ["US", " New  York ", "NY"],
  ["US", "US-NY", "NY"],
  ["US", "Oregon", "OR"],
  ["US", "District of Columbia", "DC"],
  ["CA", "Québec", "QC"],
  ["CA", "prince edward island", "PE"],
  ["AU", "New South Wales", "NSW"],
  ["DE", "Baden-Württemberg", "BADEN WURTTEMBERG"],
  ["PL", "Łódzkie", "LODZKIE"],
  ["IN", "दिल्ली", "दिल्ली"],
])("reads the region of %s that is written %j as %s", (country, written, code) => {
  expect(regionCode(country, written)).toBe(code);
});

it.each([
  ["US", "Ontario"],
  ["US", "XX"],
  ["CA", "NY"],
  ["DE", "  -"],
])("finds no region of %s in %j", (country, written) => {
  expect(regionCode(country, written)).toBeUndefined();
});
