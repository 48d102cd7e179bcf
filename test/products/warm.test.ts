import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MemoryCache } from "../../src/platform/catalogue-cache/memory-cache.ts";
import { purgeResponses } from "../../src/platform/catalogue-cache/responses.ts";
import * as tables from "../../src/platform/db/schema.ts";
import { callWith, ORIGIN } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { anAdministrator, fieldsOf } from "../support/panel.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aKey, aProduct, aUser, db } from "../support/shop.ts";

// Other tests send a bookmark, which bypasses the cache. These read as a storefront does.
const without = { "x-d1-bookmark": "" };

let asked: ReturnType<typeof counted>;

beforeEach(async () => {
  await purgeResponses(ORIGIN, Date.now() - 1);
  asked = counted();
});

afterEach(() => {
  vi.restoreAllMocks();
});

const read = (line: string, as: string, headers: Record<string, string> = {}) =>
  callWith(asked.bindings, line, { as, headers: { ...without, ...headers } });

const rename = (id: number, name: string) => db.update(tables.products).set({ name }).where(eq(tables.products.id, id));

describe("a warm read of the catalogue", () => {
  it.each(["list", "product"])("of a %s costs no query, and returns the same response", async (what) => {
    const { id, sku } = await aProduct();
    const { key } = await aKey();
    const line = what === "list" ? `GET /products?search=${sku}` : `GET /products/${id}`;
    const cold = await read(line, key);
    expect(asked.trips.d1).toBe(1);
    const warm = await read(line, key);
    expect(asked.trips.d1).toBe(1);
    expect(warm.body).toEqual(cold.body);
    expect(warm.headers.get("Link")).toBe(cold.headers.get("Link"));
    expect(warm.headers.get("Content-Type")).toBe(cold.headers.get("Content-Type"));
  });

  it("asks the data centre's cache only for URLs that this isolate was asked for before", async () => {
    const { id } = await aProduct();
    const { key } = await aKey();
    const match = vi.spyOn(caches.default, "match");
    await read(`GET /products/${id}`, key);
    expect(match).not.toHaveBeenCalled();
    await purgeResponses(ORIGIN, Date.now());
    await read(`GET /products/${id}`, key);
    expect(match).toHaveBeenCalled();
  });

  it("is not caused by a refused query", async () => {
    const { key } = await aKey();
    for (const attempt of ["first", "second"]) {
      const { status } = await read("GET /products?colour=red", key);
      expect([status, asked.trips.d1], attempt).toEqual([400, 0]);
    }
  });

  it("is not caused by a URL longer than any storefront's", async () => {
    const { key } = await aKey();
    const line = `GET /products?search=${encodeURIComponent("日".repeat(120))}`;
    for (const trips of [1, 2]) {
      expect((await read(line, key)).status).toBe(200);
      expect(asked.trips.d1).toBe(trips);
    }
  });

  it("still counts against the caller, and includes the limits", async () => {
    const { id } = await aProduct();
    const { key } = await aKey();
    const remaining = async () => Number((await read(`GET /products/${id}`, key)).headers.get("X-RateLimit-Remaining"));
    expect([await remaining(), await remaining()]).toEqual([99, 98]);
  });

  it("is shared by callers with the same access", async () => {
    const [ada, ben] = [await aUser(), await aUser()];
    await read("GET /products?type=digital&page=1", ada.token);
    await read("GET /products?type=digital&page=1", ben.token);
    expect(asked.trips.d1).toBe(1);
  });

  it("is never given to callers with less access", async () => {
    const draft = await aProduct({ status: "draft" });
    const user = await aUser();
    const admin = await aUser({ role: "admin" });
    const { key } = await aKey({ permissions: ["products:write", "products:read"] });
    for (const as of [key, admin.token]) expect((await read(`GET /products/${draft.id}`, as)).status).toBe(200);
    expect((await read(`GET /products/${draft.id}`, user.token)).status).toBe(404);
    const all = await read(`GET /products?search=${draft.sku}`, key);
    const active = await read(`GET /products?search=${draft.sku}`, user.token);
    expect([all.body.data.length, active.body.data.length]).toEqual([1, 0]);
  });

  it("is at most 30 s old", async () => {
    const { id } = await aProduct({ name: "Before" });
    const { key } = await aKey();
    const nameAt = async (later: number) => {
      vi.spyOn(Date, "now").mockReturnValue(now + later);
      return (await read(`GET /products/${id}`, key)).body.data.name;
    };
    const now = Date.now();
    await nameAt(0);
    await rename(id, "After");
    expect(await nameAt(29_999)).toBe("Before");
    expect(await nameAt(30_000)).toBe("After");
  });

  it("comes from the data centre if the isolate does not have it, with its headers", async () => {
    const { sku } = await aProduct();
    const { key } = await aKey();
    const line = `GET /products?search=${sku}`;
    const cold = await read(line, key);
    await read(line, key);
    const match = vi.spyOn(MemoryCache.prototype, "get").mockReturnValue(undefined);
    const shared = await read(line, key);
    expect(match).toHaveBeenCalled();
    expect(asked.trips.d1).toBe(1);
    expect(shared.body).toEqual(cold.body);
    for (const name of ["Link", "ETag", "Content-Type", "Cache-Control"]) {
      expect([name, shared.headers.get(name)]).toEqual([name, cold.headers.get(name)]);
    }
  });

  it("states its age in whole seconds", async () => {
    const { id } = await aProduct();
    const { key } = await aKey();
    const now = Date.now();
    const ageAt = async (later: number) => {
      vi.spyOn(Date, "now").mockReturnValue(now + later);
      return (await read(`GET /products/${id}`, key)).headers.get("Age");
    };
    expect([await ageAt(0), await ageAt(999), await ageAt(12_345)]).toEqual([null, "0", "12"]);
  });

  it("becomes a cold one if it may have been purged", async () => {
    const { id } = await aProduct();
    const { key } = await aKey();
    await read(`GET /products/${id}`, key);
    await read(`GET /products/${id}`, key);
    const match = caches.default.match.bind(caches.default);
    vi.spyOn(MemoryCache.prototype, "get").mockReturnValue(undefined);
    vi.spyOn(caches.default, "match").mockImplementation(async (request) => {
      if (String(request).endsWith("/purged-at")) throw new Error("out of reach");
      return match(request);
    });
    expect((await read(`GET /products/${id}`, key)).status).toBe(200);
    expect(asked.trips.d1).toBe(2);
  });

  it("is stored there once, at the second request", async () => {
    const { id } = await aProduct();
    const { key } = await aKey();
    const put = vi.spyOn(caches.default, "put");
    const puts: number[] = [];
    for (let time = 1; time <= 4; time++) {
      await read(`GET /products/${id}`, key);
      puts.push(put.mock.calls.length);
    }
    expect(puts).toEqual([0, 1, 1, 1]);
  });

  it("becomes a cold one if the Cache API fails", async () => {
    const { id } = await aProduct();
    const { key } = await aKey();
    vi.spyOn(MemoryCache.prototype, "get").mockReturnValue(undefined);
    vi.spyOn(caches.default, "match").mockRejectedValue(new Error("out of reach"));
    vi.spyOn(caches.default, "put").mockRejectedValue(new Error("out of reach"));
    expect((await read(`GET /products/${id}`, key)).status).toBe(200);
    expect((await read(`GET /products/${id}`, key)).status).toBe(200);
    expect(asked.trips.d1).toBe(2);
  });

  it("does not cache missing or refused responses", async () => {
    const { key } = await aKey();
    for (const line of ["GET /products/999999", "GET /products?page=0"]) {
      await read(line, key);
      expect((await read(line, key)).status).toBeGreaterThanOrEqual(400);
    }
    expect(asked.trips.d1).toBe(2);
  });
});

describe("ETag", () => {
  it("answers 304 without a body to a client with the response, with the limits", async () => {
    const { id } = await aProduct();
    const { key } = await aKey();
    const first = await read(`GET /products/${id}`, key);
    const etag = String(first.headers.get("ETag"));
    const second = await read(`GET /products/${id}`, key, { "If-None-Match": etag });
    expect([second.status, second.body]).toEqual([304, ""]);
    expect(second.headers.get("ETag")).toBe(etag);
    expect(second.headers.get("X-RateLimit-Remaining")).toBe("98");
    expect(second.headers.get("Access-Control-Allow-Origin")).toBe("*");
  });

  it("changes with the response", async () => {
    const { id } = await aProduct();
    const { key } = await aKey();
    const before = await read(`GET /products/${id}`, key);
    await rename(id, "Another");
    await purgeResponses(ORIGIN, Date.now() - 1);
    const after = await read(`GET /products/${id}`, key, { "If-None-Match": String(before.headers.get("ETag")) });
    expect(after.status).toBe(200);
    expect(after.headers.get("ETag")).not.toBe(before.headers.get("ETag"));
  });
});

describe("a write", () => {
  it("of an administrator is seen by the next read, including in lists", async () => {
    const { id, sku } = await aProduct({ price: 1000 });
    const { key } = await aKey();
    const prices = async () => {
      const one = await read(`GET /products/${id}`, key);
      const many = await read(`GET /products?search=${sku}`, key);
      return [one.body.data.price, many.body.data[0].price];
    };
    expect(await prices()).toEqual([10, 10]);
    const admin = await aUser({ role: "admin" });
    await callWith(asked.bindings, `PUT /admin/products/${id}`, { as: admin.token, body: { price: 11 } });
    expect(await prices()).toEqual([11, 11]);
  });

  it.each(["the API", "the panel"])(
    "by %s is seen by the next read, even if only the data centre had the page",
    async (where) => {
      const { id } = await aProduct({ name: "Before" });
      const { key } = await aKey();
      const get = vi.spyOn(MemoryCache.prototype, "get");
      const nameNow = async () => (await read(`GET /products/${id}`, key)).body.data.name;
      // Like a new isolate: its memory is empty and was never purged.
      const forget = () => {
        for (const memory of get.mock.contexts)
          if (memory instanceof MemoryCache) memory.purge(Number.NEGATIVE_INFINITY);
      };
      await nameNow();
      await nameNow();
      forget();
      expect([await nameNow(), asked.trips.d1]).toEqual(["Before", 1]);
      forget();
      if (where === "the API") {
        const { token } = await aUser({ role: "admin" });
        await callWith(asked.bindings, `PUT /admin/products/${id}`, { as: token, body: { name: "After" } });
      } else {
        const admin = await anAdministrator();
        const path = `/admin/products/${id}`;
        await admin.post(path, { ...fieldsOf(await admin.get(path), path), name: "After" });
      }
      expect(await nameNow()).toBe("After");
    },
  );

  it("that is refused leaves a warm page unchanged", async () => {
    const { id } = await aProduct();
    const { key } = await aKey();
    await read(`GET /products/${id}`, key);
    const { token } = await aUser({ role: "admin" });
    const refused = await callWith({}, `PUT /admin/products/${id}`, { as: token, body: { price: -1 } });
    expect(refused.status).toBe(400);
    await read(`GET /products/${id}`, key);
    expect(asked.trips.d1).toBe(1);
  });

  it("returns a bookmark, and requests with it bypass the cache", async () => {
    const { id } = await aProduct({ name: "Before" });
    const { key } = await aKey();
    await read(`GET /products/${id}`, key);
    await rename(id, "After");
    const bookmark = String((await read("GET /cart", key)).headers.get("x-d1-bookmark"));
    const { body } = await read(`GET /products/${id}`, key, { "x-d1-bookmark": bookmark });
    expect(body.data.name).toBe("After");
  });

  it("refuses an invalid bookmark", async () => {
    const { key } = await aKey();
    expectRefusal(await read("GET /cart", key, { "x-d1-bookmark": "first-primary" }), 400, "x-d1-bookmark");
  });
});

it("uses a replica for a cold read, and the caller's bookmark or the primary for everything else", async () => {
  const opened: unknown[] = [];
  const DB = new Proxy(env.DB, {
    get(target, name) {
      if (name !== "withSession") return Reflect.get(target, name);
      return (start: D1SessionBookmark) => {
        opened.push(start);
        return target.withSession(start);
      };
    },
  });
  const { key } = await aKey();
  const bookmark = "00000000-00000001-00000000-00000000000000000000000000000000";
  await callWith({ DB }, "GET /products", { as: key, headers: without });
  await callWith({ DB }, "GET /cart", { as: key, headers: without });
  await callWith({ DB }, "GET /cart", { as: key, headers: { "x-d1-bookmark": bookmark } });
  expect(opened.filter((start) => start !== "first-primary")).toEqual(["first-unconstrained", bookmark]);
});

describe("the isolate's memory", () => {
  const bytesOf = (text: string) => new Uint8Array(new TextEncoder().encode(text)).buffer;
  const answer = (text: string) => ({ body: bytesOf(text), etag: '"e"', link: null, builtAt: 0, isShared: false });

  it("is bounded, and evicts the least recently used", () => {
    const memory = new MemoryCache();
    for (let n = 0; n < 10; n++) {
      memory.set(`key ${n}`, answer("x".repeat(900_000)));
      memory.get("key 0", 1);
    }
    const known = Array.from({ length: 10 }, (_, n) => n).filter((n) => memory.get(`key ${n}`, 1));
    expect(known).toEqual([0, 7, 8, 9]);
  });

  it("has a bounded number of responses, however short they are", () => {
    const memory = new MemoryCache();
    for (let n = 0; n < 3_000; n++) memory.set(`key ${n}`, answer("x"));
    const known = Array.from({ length: 3_000 }, (_, n) => n).filter((n) => memory.get(`key ${n}`, 1));
    expect(known).toEqual(Array.from({ length: 2_000 }, (_, n) => 1_000 + n));
  });

  it("accepts no response that would evict all others", () => {
    const memory = new MemoryCache();
    memory.set("small", answer("x"));
    memory.set("huge", answer("x".repeat(2_000_000)));
    expect([memory.get("small", 1) !== undefined, memory.get("huge", 1)]).toEqual([true, undefined]);
  });

  it("replaces a response, and is empty once it is purged", () => {
    const memory = new MemoryCache();
    memory.set("key", answer("old"));
    memory.set("key", answer("new"));
    expect(memory.get("key", 1)?.body).toEqual(bytesOf("new"));
    memory.purge(1);
    expect(memory.get("key", 1)).toBeUndefined();
  });

  it("accepts no response built before it was purged", () => {
    const memory = new MemoryCache();
    memory.purge(1);
    memory.set("key", answer("built while somebody wrote"));
    expect(memory.get("key", 2)).toBeUndefined();
  });
});
