import { beforeEach, describe, expect, it, vi } from "vitest";
import { MemoryCache } from "../../src/platform/catalogue-cache/memory-cache.ts";
import { purgeResponses } from "../../src/platform/catalogue-cache/responses.ts";
import { call, ORIGIN } from "../support/call.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aKey, aProduct, aUser } from "../support/shop.ts";

// Only staff see drafts, and no spelling of a URL lets the catalogue's cache mix up callers.

beforeEach(() => purgeResponses(ORIGIN, Date.now() - 1));

/** Reads as a storefront does, from the cache where possible. */
const read = (address: string, as: string) => call(`GET ${address}`, { as, headers: { "x-d1-bookmark": "" } });

const storefrontKey = () => aKey({ permissions: ["products:read", "carts:read", "carts:write"] });
const merchantKey = () => aKey({ permissions: ["products:read", "products:write"] });

describe("a draft", () => {
  const seers = {
    "an administrator": async () => (await aUser({ role: "admin" })).token,
    "a key with products:write": async () => (await merchantKey()).key,
  };
  const others = {
    "a customer": async () => (await aUser()).token,
    "a key without products:write": async () => (await storefrontKey()).key,
  };

  it.each(Object.entries(seers))(
    "is visible to %s, in lists and by id, alone and next to active products",
    async (_, credential) => {
      const [draft, active, as] = [
        await aProduct({ status: "draft", name: "Seen Lamp" }),
        await aProduct({ name: "Seen Chair" }),
        await credential(),
      ];
      const idsIn = async (query: string) =>
        (await read(`/products?${query}`, as)).body.data.map(({ id }: { id: number }) => id);
      expect((await read(`/products/${draft.id}`, as)).body.data.status).toBe("draft");
      expect(await idsIn("search=seen")).toEqual(expect.arrayContaining([draft.id, active.id]));
      expect(await idsIn("per_page=2")).toEqual([active.id, draft.id]);
      expect(await idsIn("status=draft&per_page=1")).toEqual([draft.id]);
    },
  );

  it.each(Object.entries(others))("is hidden from %s, and cannot be bought", async (_, credential) => {
    const [draft, as] = [await aProduct({ status: "draft", name: "Hidden Lamp" }), await credential()];
    expect((await read(`/products/${draft.id}`, as)).status).toBe(404);
    for (const query of ["search=hidden", "status=draft", "search=hidden&status=draft"]) {
      const { status, body } = await read(`/products?${query}`, as);
      expect([status, body.data, body.pagination.total_items]).toEqual([200, [], 0]);
    }
    expectRefusal(await call("POST /cart", { as, body: { product_id: draft.id } }), 400, "product_id");
  });
});

describe.each(["the isolate's memory", "the data centre's cache"])("a response from %s", (where) => {
  beforeEach(() => {
    if (where === "the data centre's cache") vi.spyOn(MemoryCache.prototype, "get").mockReturnValue(undefined);
    return () => vi.restoreAllMocks();
  });

  /** Spellings of the same address. Those that match no product return 400 or 404 to everybody. */
  const spellings = (id: number) => [
    `${ORIGIN}/%61pi/v1/user/products/${id}`,
    `${ORIGIN}/api/v1/user/%70roducts/${id}`,
    `${ORIGIN}/api/v1/user/products/${String(id).replace(/\d/g, (digit) => `%3${digit}`)}`,
    `${ORIGIN}/api/v1/user/products/0${id}`,
    `${ORIGIN}/api/v1/user/products/${id}/`,
    `${ORIGIN}/api/v1/user/products//${id}`,
    `${ORIGIN}//api/v1/user/products/${id}`,
    `${ORIGIN}/API/v1/user/products/${id}`,
    `${ORIGIN}/api/v1/user/products/${id}?`,
    `${ORIGIN}/api/v1/user/products/${id}#active`,
    `${ORIGIN}/api/v1/user/x/../products/${id}`,
    `${ORIGIN}/api/v1/user/products/${id}%3Fview=active`,
    `${ORIGIN}/.catalogue/all/api/v1/user/products/:id?${encodeURIComponent(JSON.stringify([{ id }, {}]))}`,
    `${ORIGIN}/.catalogue/all/api/v1/user/products/${id}`,
  ];

  it("never belongs to somebody who sees more, however the URL is written", async () => {
    const draft = await aProduct({ status: "draft" });
    const [admin, customer] = [await aUser({ role: "admin" }), await aUser()];
    const reached = await Promise.all(
      spellings(draft.id).map(async (address) => (await read(address, admin.token)).status),
    );
    expect(reached.filter((status) => status === 200)).toHaveLength(7);
    for (const address of [...spellings(draft.id), `/products/${draft.id}`]) {
      expect((await read(address, customer.token)).status, address).toBeGreaterThanOrEqual(400);
    }
  });

  it("is renewed after an administrator's write, however reader and writer spell the URL", async () => {
    const { id } = await aProduct({ name: "Before" });
    const [admin, customer] = [await aUser({ role: "admin" }), await aUser()];
    const readable = spellings(id).filter((address) => !/\/$|\/\/\d|\/\/api|API|%3Fview|catalogue/.test(address));
    const names = async () =>
      new Set(await Promise.all(readable.map(async (address) => (await read(address, customer.token)).body.data.name)));
    expect(await names()).toEqual(new Set(["Before"]));
    const address = `${ORIGIN}/api/v1/%61dmin/products/${String(id).replace(/\d/g, (digit) => `%3${digit}`)}`;
    const { status } = await call(`PUT ${address}`, { as: admin.token, body: { name: "After" } });
    expect([status, await names()]).toEqual([200, new Set(["After"])]);
  });

  it("links to the requested host", async () => {
    const { token } = await aUser();
    await read("https://other.test/api/v1/user/products?per_page=1", token);
    const { headers } = await read("/products?per_page=1", token);
    expect(headers.get("Link")).toContain(`<${ORIGIN}/`);
    expect(headers.get("Link")).not.toContain("other.test");
  });

  it("is not shared by lists with different filters", async () => {
    const { token } = await aUser();
    const { sku } = await aProduct({ type: "digital" });
    const total = async (query: string) => (await read(`/products?search=${query}`, token)).body.pagination.total_items;
    expect(await total(`${sku}%26type%3Ddigital`)).toBe(0);
    expect(await total(`${sku}&type=digital`)).toBe(1);
    expect(await total(`${sku}&type=service`)).toBe(0);
    expect([await total(`product+${sku}`), await total(`product%2B${sku}`)]).toEqual([1, 1]);
  });
});

it("refuses query parameters of a product, which has none", async () => {
  const { id } = await aProduct();
  const { key } = await storefrontKey();
  expectRefusal(await read(`/products/${id}?view=all`, key), 400, "view");
  expectRefusal(await read(`/products/${id}?page=1&page=2`, key), 400, "page");
});
