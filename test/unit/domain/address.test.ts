import { expect, it } from "vitest";
import { addressLines } from "../../../src/domain/address.ts";
import { countries } from "../../../src/domain/place.ts";

const ada = { name: "Ada Lovelace", address: "12 Quay Street" };

it.each([
  [{ city: "Bristol", zip: "BS1 4DB", country: "GB" }, "Bristol | BS1 4DB | United Kingdom"],
  [{ city: "Bristol", region: "Avon", zip: "BS1 4DB", country: "GB" }, "Bristol, Avon | BS1 4DB | United Kingdom"],
  [{ city: "New York", region: "NY", zip: "10001", country: "US" }, "New York, NY 10001 | United States"],
  [{ city: "Toronto", region: "ON", zip: "M5V 2T6", country: "CA" }, "Toronto ON M5V 2T6 | Canada"],
  [{ city: "Sydney", region: "NSW", zip: "2000", country: "AU" }, "Sydney NSW 2000 | Australia"],
  [{ city: "Berlin", zip: "10115", country: "DE" }, "10115 Berlin | Germany"],
  [{ city: "Helsinki", zip: "00100", country: "FI" }, "FI-00100 Helsinki | Finland"],
  [{ city: "Helsinki", zip: "FI-00100", country: "FI" }, "FI-00100 Helsinki | Finland"],
  [{ city: "Singapore", zip: "018956", country: "SG" }, "SINGAPORE 018956 | Singapore"],
  [{ city: "singapore", region: "Singapore", zip: "018956", country: "SG" }, "SINGAPORE 018956 | Singapore"],
  [{ city: "Luxembourg", zip: "L-1661", country: "LU" }, "L-1661 Luxembourg | Luxembourg"],
  [{ city: "Mariehamn", zip: "AX-22100", country: "FI" }, "FI-AX-22100 Mariehamn | Finland"],
  [{ city: "San Juan", region: "PR", zip: "00901", country: "PR" }, "San Juan PR 00901 | Puerto Rico"],
  [{ city: "Dubai", region: "Dubai", zip: "00000", country: "AE" }, "Dubai | United Arab Emirates"],
  [{ city: "Dublin", zip: "-", country: "IE" }, "Dublin | Ireland"],
  [{ city: "Bristol", region: "Avon", zip: "BS1 4DB" }, "Bristol, Avon BS1 4DB"],
])("ends an address as its country does: %j", (place, end) => {
  expect(addressLines({ ...ada, ...place }).join(" | ")).toBe(`Ada Lovelace | 12 Quay Street | ${end}`);
});

it.each([
  ["GB", "Bristol | BS1 4DB"],
  ["DE", "BS1 4DB Bristol"],
])("treats an address without a country as one at home, %s", (home, end) => {
  const lines = addressLines({ ...ada, city: "Bristol", zip: "BS1 4DB" }, home);
  expect(lines.join(" | ")).toBe(`Ada Lovelace | 12 Quay Street | ${end}`);
});

it("starts with the street, whatever the characters of the name are", () => {
  const address = { name: "山田太郎", address: "1-2-3 Marunouchi", address2: "Floor 2", city: "Chiyoda-ku" };
  expect(addressLines({ ...address, region: "Tokyo", zip: "100-0005", country: "JP" })).toEqual([
    "山田太郎",
    "1-2-3 Marunouchi",
    "Floor 2",
    "Chiyoda-ku, Tokyo",
    "100-0005",
    "Japan",
  ]);
});

it("starts with the largest unit if the address is written in its country's script", () => {
  const address = { name: "山田太郎", address: "千代田1-1", city: "千代田区", region: "東京都", zip: "100-0001" };
  expect(addressLines({ ...address, country: "JP" })).toEqual([
    "〒100-0001",
    "東京都",
    "千代田区",
    "千代田1-1",
    "山田太郎",
    "Japan",
  ]);
});

it.each([{}, { company: null }, { address2: null }, { region: null }, { company: null, address2: null, region: null }])(
  "leaves no part out, whichever country it is: %j",
  (without) => {
    const parts = {
      name: "Ada Lovelace",
      company: "Engines Ltd",
      address: "12 Quay Street",
      address2: "Floor 2",
      city: "Harbourtown",
      region: "Westshire",
      zip: "54321",
    };
    const address = { ...parts, ...without };
    for (const country of countries) {
      const lines = addressLines({ ...address, country });
      for (const part of Object.values(address).filter((part) => part !== null)) {
        expect(
          lines.filter((line) => line.includes(part)),
          `${part} of ${country}`,
        ).toHaveLength(1);
      }
      for (const line of lines) expect(line).toMatch(/^[^\s,].*[^\s,]$/u);
    }
  },
);

it("names the country in a language", () => {
  const address = { ...ada, city: "Berlin", zip: "10115", country: "DE" };
  expect(addressLines(address, null, "fr").at(-1)).toBe("Allemagne");
});
