import { beforeAll, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { aKey, aProduct } from "../support/shop.ts";

// Each search with the products that a shopper means by it, of all of these.
const names = [
  "Running shoes",
  "Shoe polish",
  "T-shirt ochre",
  "Tshirt plain",
  "Wi-Fi router",
  "Wifi antenna",
  "Cable AB-123",
  "Cable AB124",
  "Leather satchel",
  "Notebook, ruled",
  "Paper notebooks, set of three",
  "Camera batteries",
  "Bücherregal",
  "Wanderschuhe",
  "Tischlampen",
  "Chapeaux de paille",
  "Shopping list",
  "Shoehorn",
] as const;

const cases: [search: string, names: (typeof names)[number][]][] = [
  ["shoe", ["Running shoes", "Shoe polish", "Shoehorn"]],
  ["shoes", ["Running shoes", "Shoe polish"]],
  ["shoe running", ["Running shoes"]],
  ["tshirt", ["T-shirt ochre", "Tshirt plain"]],
  ["tshirts", ["T-shirt ochre", "Tshirt plain"]],
  ["t-shirt", ["T-shirt ochre", "Tshirt plain"]],
  ["t shirts", ["T-shirt ochre", "Tshirt plain"]],
  ["t-shirt ochre", ["T-shirt ochre"]],
  ["wifi", ["Wi-Fi router", "Wifi antenna"]],
  ["wi-fi", ["Wi-Fi router", "Wifi antenna"]],
  ["wi fi router", ["Wi-Fi router"]],
  ["AB123", ["Cable AB-123"]],
  ["ab-124", ["Cable AB124"]],
  ["ab 124 cable", ["Cable AB124"]],
  ["notebooks", ["Notebook, ruled", "Paper notebooks, set of three"]],
  ["notebook paper", ["Paper notebooks, set of three"]],
  ["note book", ["Notebook, ruled", "Paper notebooks, set of three"]],
  ["battery", ["Camera batteries"]],
  ["batteries", ["Camera batteries"]],
  ["bücherregale", ["Bücherregal"]],
  ["wanderschuh", ["Wanderschuhe"]],
  ["wanderschuhen", ["Wanderschuhe"]],
  ["tischlampe", ["Tischlampen"]],
  ["chapeau paille", ["Chapeaux de paille"]],
  ["notbook", ["Notebook, ruled"]],
  ["satchle", ["Leather satchel"]],
  ["lether satchel", ["Leather satchel"]],
  ["bucherregall", ["Bücherregal"]],
  ["sofa", []],
  ["leather shoes", []],
];

let key: string;

beforeAll(async () => {
  ({ key } = await aKey({ tier: "premium" }));
  for (const name of names) await aProduct({ name, sku: `Q${name.length}X${names.indexOf(name)}`, description: "" });
});

const search = (query: Record<string, string>) =>
  call(`GET /products?${new URLSearchParams({ per_page: "100", ...query })}`, { as: key });

it.each(cases)("%s", async (typed, wanted) => {
  const { body } = await search({ search: typed });
  expect(body.data.map(({ name }: { name: string }) => name).toSorted()).toEqual(wanted.toSorted());
  expect(body.pagination.total_items).toBe(wanted.length);
});

it("corrects no word that only a filter excludes", async () => {
  expect((await search({ search: "satchel", type: "digital" })).body.data).toEqual([]);
  expect((await search({ search: "satchle", type: "physical" })).body.data).toHaveLength(1);
});
