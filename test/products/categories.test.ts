import { env } from "cloudflare:workers";
import { and, eq, inArray } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fillCatalogue, served } from "../../scripts/bench/catalogue.ts";
import { purgeResponses } from "../../src/platform/catalogue-cache/responses.ts";
import { products } from "../../src/platform/db/schema.ts";
import { callWith, ORIGIN } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { aCategory, aKey, aProduct, aUser, db } from "../support/shop.ts";

type Listed = { id: number; parent_id: number | null; path: { id: number; name: string }[]; product_count: number };

let asked: ReturnType<typeof counted>;
let key: string;

beforeAll(async () => {
  await fillCatalogue(served(env.DB), 1000);
  ({ key } = await aKey({ permissions: ["products:read"] }));
});

beforeEach(async () => {
  await purgeResponses(ORIGIN, Date.now() - 1);
  asked = counted();
});

const read = (as: string | undefined = key, bindings: Partial<Env> = {}) =>
  callWith({ ...asked.bindings, ...bindings }, "GET /categories?per_page=100", {
    as,
    headers: { "x-d1-bookmark": "" },
  });

describe("the categories of a shop", () => {
  it("are listed by name, each before its descendants, with the number of products for sale in both", async () => {
    const { status, body } = await read();
    expect([status, body.data.length]).toEqual([200, 12]);
    const paths = body.data.map(({ path }: Listed) => path.map(({ name }) => name).join(" > "));
    expect(paths).toEqual([
      "Library",
      "Print",
      "Print > Paper",
      "Print > Printmaking",
      "Studio",
      "Studio > Audio",
      "Studio > Audio > Field Recording",
      "Studio > Audio > Synth Kits",
      "Studio > Photo",
      "Studio > Photo > Camera Bags",
      "Studio > Photo > Film",
      "Workshops",
    ]);
    for (const { id, parent_id, path, product_count } of body.data as Listed[]) {
      const below = body.data.filter((other: Listed) => other.path.some((step) => step.id === id));
      const ids = below.map((other: Listed) => other.id);
      expect(product_count).toBe(
        await db.$count(products, and(inArray(products.categoryId, ids), eq(products.status, "active"))),
      );
      expect([path.at(-1)?.id, path.at(-2)?.id ?? null]).toEqual([id, parent_id]);
    }
    expect(Object.keys(body.data[0])).toEqual(["id", "name", "slug", "parent_id", "path", "product_count"]);
  });

  it("cost a few rows each, however many products there are, and nothing when cached", async () => {
    const { body } = await read();
    expect([asked.trips.d1, asked.work.rowsRead <= 8 * body.data.length + 10]).toEqual([1, true]);
    await read((await aUser()).token);
    expect(asked.trips.d1).toBe(1);
  });

  it("are fresh after a product was added, published, moved or removed", async () => {
    const admin = (await aUser({ role: "admin" })).token;
    const [lamps, empty] = [await aCategory("Lamps"), await aCategory("Nothing yet")];
    const { id } = await aProduct({ status: "draft", categoryId: lamps.id, slug: "a-lamp", sku: "A-LAMP" });
    const counts = async () => {
      const { body } = await read();
      return [lamps, empty].map(
        (each) => body.data.find((other: { id: number }) => other.id === each.id)?.product_count,
      );
    };
    const write = (line: string, body?: unknown) => callWith({}, line, { as: admin, body });
    expect(await counts()).toEqual([0, 0]);
    await write(`PUT /admin/products/${id}`, { status: "active" });
    expect(await counts()).toEqual([1, 0]);
    await write(`PUT /admin/products/${id}`, { category_id: empty.id });
    expect(await counts()).toEqual([0, 1]);
    await write(`DELETE /admin/products/${id}`);
    await write(`DELETE /admin/categories/${empty.id}`);
    expect(await counts()).toEqual([0, undefined]);
  });

  it("are public if the catalogue is", async () => {
    expect((await callWith({ PUBLIC_CATALOG: "true" }, "GET /categories")).status).toBe(200);
    expect((await callWith({ PUBLIC_CATALOG: "false" }, "GET /categories")).status).toBe(401);
  });
});
