import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { apiVersion } from "../../src/apps/api-version.ts";
import { newApi } from "../../src/apps/new-app.ts";
import { readStored } from "../../src/apps/read-stored.ts";
import { categoryResource } from "../../src/catalogue/categories/categories.ts";
import { resourceRoutes } from "../../src/platform/administration/resource-routes.ts";
import { authenticate } from "../../src/platform/auth/authenticate.ts";
import { database } from "../../src/platform/db/client.ts";
import { type ApiHistory, apiHistory, NEWEST_VERSION } from "../../src/platform/http/api-versions.ts";
import { administration } from "../support/administration.ts";
import { type Answer, call, requestTo } from "../support/call.ts";
import { aKey, aProduct } from "../support/shop.ts";

const { ask, admin } = administration();
const UNKNOWN = { "API-Version": "2020-01-01" };

describe("the version of the API", () => {
  it("is in every response, errors included, and may be asked for", async () => {
    const asked = { "API-Version": apiHistory.first };
    for (const answer of [
      await call("GET /products"),
      await call("GET /nowhere"),
      await ask("GET /admin/products"),
      await ask("GET /admin/products", undefined, asked),
      await ask("PUT /admin/products/0", { surprise: 1 }),
    ]) {
      expect(answer.headers.get("API-Version")).toBe(NEWEST_VERSION);
      expect(answer.headers.get("Vary") ?? "").not.toContain("API-Version");
    }
  });

  it.each(["GET /products", "GET /account/profile", "GET /admin/products", "POST /admin/products"])(
    "is refused by %s if it is unknown, with those that exist",
    async (line) => {
      const refused = await call(line, {
        as: admin.token,
        headers: UNKNOWN,
        ...(line.startsWith("POST") && { body: {} }),
      });
      expect([refused.status, refused.body.details]).toEqual([
        400,
        [{ field: "api-version", code: "invalid_value", allowed: [apiHistory.first] }],
      ]);
    },
  );

  it("does not split the catalogue's cache", async () => {
    const { id } = await aProduct();
    const { key } = await aKey({ permissions: ["products:read"] });
    const read = (headers: Record<string, string>) =>
      call(`GET /products/${id}`, { as: key, headers: { "x-d1-bookmark": "", ...headers } });
    await read({});
    const cached = await read({ "API-Version": NEWEST_VERSION });
    expect(cached.headers.get("Age")).not.toBeNull();
    expect(cached.headers.get("API-Version")).toBe(NEWEST_VERSION);
  });
});

const rename =
  (from: string, to: string) =>
  ({ [from]: text, ...others }: Record<string, unknown>) => ({ ...others, ...(text !== undefined && { [to]: text }) });
const renamed = (version: string, older: string, newer: string): ApiHistory["changes"][number] => {
  const both = { request: rename(older, newer), response: rename(newer, older) };
  const ids = ["createCategory", "updateCategory", "getCategory", "adminListCategories"];
  return { version, operations: Object.fromEntries(ids.map((id) => [id, both])) };
};

/** The `name` of a category was its `label` at first, and then its `title`. */
const history: ApiHistory = {
  first: "2026-11-29",
  changes: [renamed("2027-06-01", "label", "title"), renamed("2028-06-01", "title", "name")],
};
const nameIn: Record<string, string> = { "2026-11-29": "label", "2027-06-01": "title", "2028-06-01": "name" };

const app = newApi();
app.use(authenticate, apiVersion(history), database, readStored(app));
app.route("/api/v1/admin", resourceRoutes(categoryResource));

async function send(version: string | undefined, line: string, as: string, body?: unknown) {
  const headers: Record<string, string> = version === undefined ? {} : { "API-Version": version };
  const context = createExecutionContext();
  const response = await app.fetch(requestTo(line, { as, headers, ...(body !== undefined && { body }) }), env, context);
  await waitOnExecutionContext(context);
  return { status: response.status, headers: response.headers, body: await response.json<Answer["body"]>() };
}

describe("a change of the API", () => {
  it.each(Object.entries(nameIn))(
    "is hidden from callers of version %s, who write and read %s",
    async (version, name) => {
      const path = "/admin/categories";
      const made = await send(version, `POST ${path}`, admin.token, { [name]: "Bags", slug: `bags-${version}` });
      expect([made.status, made.headers.get("API-Version")]).toEqual([201, version]);
      const { id } = made.body.data;
      const changed = await send(version, `PUT ${path}/${id}`, admin.token, { ...made.body.data, [name]: "Cases" });
      const read = await send(version, `GET ${path}/${id}`, admin.token);
      const [listed] = (await send(version, `GET ${path}?per_page=1`, admin.token)).body.data;
      for (const shown of [changed.body.data, read.body.data, listed]) {
        const names = Object.keys(shown).filter((key) => Object.values(nameIn).includes(key));
        expect([names, shown[name]]).toEqual([[name], "Cases"]);
      }
      expect(read.headers.get("Vary")).toContain("API-Version");
      expect((await send("2028-06-01", `GET ${path}/${id}`, admin.token)).body.data).toMatchObject({
        id,
        name: "Cases",
      });
    },
  );

  it("is hidden from keys that are older, and from callers without a key", async () => {
    const keyFrom = (day: string) => aKey({ permissions: ["products:read_all"], createdAt: Date.parse(day) });
    const { id } = (await send("2028-06-01", "POST /admin/categories", admin.token, { name: "Hats" })).body.data;
    const seen = async (as: string) => {
      const { body, headers } = await send(undefined, `GET /admin/categories/${id}`, as);
      return [headers.get("API-Version"), body.data[nameIn[headers.get("API-Version") ?? ""] ?? ""]];
    };
    expect(await seen((await keyFrom("2027-05-31T23:59:59Z")).key)).toEqual(["2026-11-29", "Hats"]);
    expect(await seen((await keyFrom("2027-06-01")).key)).toEqual(["2027-06-01", "Hats"]);
    expect(await seen((await keyFrom("2031-06-01")).key)).toEqual(["2028-06-01", "Hats"]);
    expect(await seen(admin.token)).toEqual(["2026-11-29", "Hats"]);
  });

  it("leaves refusals and bodies of other types alone", async () => {
    const refused = await send("2026-11-29", "POST /admin/categories", admin.token, { label: 5 });
    expect([refused.status, refused.body.details]).toEqual([
      400,
      [{ field: "name", code: "invalid_type", expected: "string" }],
    ]);
    expect((await send("2026-11-29", "POST /admin/categories", admin.token, [])).status).toBe(400);
  });
});
