import { expect, it } from "vitest";
import { locationHintOf, regionOf } from "../../../../src/platform/rate-limit/regions.ts";

it.each([
  [{ continent: "EU", country: "PT", colo: "LIS" }, "weur"],
  [{ continent: "EU", country: "PL", colo: "WAW" }, "eeur"],
  [{ continent: "AS", country: "AE", colo: "DXB" }, "me"],
  [{ continent: "AS", country: "JP", colo: "NRT" }, "apac"],
  [{ continent: "NA", country: "US", colo: "LAX" }, "wnam"],
  [{ continent: "NA", country: "US", colo: "EWR" }, "enam"],
  [{ continent: "SA", country: "BR", colo: "GRU" }, "sam"],
  [{ continent: "OC", country: "AU", colo: "SYD" }, "oc"],
  [{ continent: "AF", country: "ZA", colo: "CPT" }, "afr"],
  [{ country: "T1" }, "any"],
  [{}, "any"],
  [undefined, "any"],
])("finds the region of %j", (cf, region) => {
  expect(regionOf(cf)).toBe(region);
});

it("gives location hints that the platform supports", () => {
  expect(locationHintOf("oc")).toEqual({ locationHint: "oc" });
  expect(locationHintOf("any")).toEqual({});
});
