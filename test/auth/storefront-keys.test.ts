import { beforeAll, expect, it } from "vitest";
import document from "../../public/openapi.json";
import { storefrontPermissions } from "../../src/platform/auth/roles.ts";
import { call } from "../support/call.ts";
import { ADDRESS, aFile, aKey, aParent, aProduct, aUser, aVariant, orderOf } from "../support/shop.ts";

// What the permissions of storefronts open: what a shopper may see, and nothing that only staff see.

/** Permissions that the key of a storefront may hold. One that offers downloads reads files too. */
const held = [...storefrontPermissions, "files:read"];

/** A word of the hidden texts, so that searches find them. */
const WORD = "quillfeather";

/** Each hidden text, as the answers of the API would show it. */
const texts = {
  "a draft's name": `${WORD} lantern`,
  "a draft's SKU": `${WORD}-lantern`,
  "a draft variant": `${WORD}-variant`,
  "a product's cost": "7654.32",
  "the reason of a stock adjustment": `${WORD} fell off a shelf`,
  "the author of a stock adjustment": "",
  "an unpublished file": `${WORD} manual`,
  "a note on an order": `${WORD} rang twice`,
  "a note on a customer": `${WORD} is a reseller`,
};

/** Parameters that could lead to hidden rows, each with such a value. */
const leading: Record<string, string> = { q: WORD, search: WORD, status: "draft", published: "false" };

const ids: Record<string, number> = {};
let reader: string;
let storefront: string;

/** The paths of every GET with the planted records, without and with each parameter that could lead to hidden ones. */
const reads = (): string[] =>
  Object.entries(document.paths).flatMap(([path, operations]) => {
    if (!("get" in operations)) return [];
    const parameters: readonly object[] = "parameters" in operations.get ? operations.get.parameters : [];
    const noun = /\/([\w-]+)\/\{/.exec(path)?.[1] ?? "";
    const filled = path.replace("{format}", "ndjson").replace(/\{\w+\}/, String(ids[noun] ?? 1));
    const queries = parameters.flatMap((parameter) => {
      const name = "name" in parameter ? String(parameter.name) : "";
      if (name === "file_id") return [`?file_id=${ids.files}`];
      return name in leading ? [`?${name}=${leading[name]}`] : [];
    });
    return ["", ...queries].map((query) => `https://shop.test${filled}${query}`);
  });

/** The hidden texts that a caller reads, each with the first address that shows it. */
async function shownTo(as: string) {
  const shown = new Map<string, string>();
  for (const url of reads()) {
    const { body } = await call(`GET ${url}`, { as });
    const text = typeof body === "string" ? body : JSON.stringify(body);
    for (const [about, hidden] of Object.entries(texts)) {
      if (text.includes(hidden) && !shown.has(about)) shown.set(about, url);
    }
  }
  return Object.fromEntries(shown);
}

beforeAll(async () => {
  const { id, token: admin } = await aUser({ role: "admin" });
  texts["the author of a stock adjustment"] = `"user:${id}"`;
  ({ key: reader } = await aKey({ permissions: ["read", "write"], tier: "premium" }));
  ({ key: storefront } = await aKey({ permissions: held, tier: "premium" }));
  const draft = await aProduct({
    name: texts["a draft's name"],
    sku: texts["a draft's SKU"],
    status: "draft",
    cost: 765432,
  });
  await aVariant(await aParent(), { sku: texts["a draft variant"], status: "draft" });
  const reason = texts["the reason of a stock adjustment"];
  await call(`POST /admin/products/${draft.id}/stock`, { as: admin, body: { delta: 5, reason } });
  const file = await aFile({ name: texts["an unpublished file"], publishedAt: null });
  const customer = await aUser();
  const text = texts["a note on a customer"];
  await call(`POST /admin/users/${customer.id}/notes`, { as: admin, body: { text } });
  const guests = { payment_method: "paypal", shipping_address: ADDRESS };
  const placed = await call("POST /orders", {
    as: storefront,
    body: orderOf(await aProduct({ cost: 765432 }), 1, guests),
  });
  const order = placed.body.data.id;
  const body = { text: texts["a note on an order"] };
  await call(`POST /admin/orders/${order}/notes`, { as: admin, body });
  Object.assign(ids, { products: draft.id, files: file.id, users: customer.id, orders: order });
});

it("shows all of them to a key that may read and write everything", async () => {
  expect(Object.keys(await shownTo(reader)).toSorted()).toEqual(Object.keys(texts).toSorted());
});

it("shows nothing of them to a key with every permission of a storefront", async () => {
  expect(await shownTo(storefront)).toEqual({});
});

it.each(held)("shows nothing of them to a key with only %s", async (permission) => {
  const { key } = await aKey({ permissions: [permission], tier: "premium" });
  expect(await shownTo(key)).toEqual({});
});
