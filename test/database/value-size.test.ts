import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { connect } from "../../src/platform/db/client.ts";
import { slice, stageOf } from "../support/backups.ts";
import { call } from "../support/call.ts";
import { aCheckedImport, failuresOf, jobOf, runJob } from "../support/jobs.ts";
import { anError } from "../support/refusal.ts";
import { aProduct, aUser, db, someProducts } from "../support/shop.ts";

/** D1's limit of a string, blob or row. Local SQLite takes about twice as much. */
const MOST = 2_000_000;

let as: string;

beforeAll(async () => {
  as = (await aUser({ role: "admin" })).token;
});

const run = (query: string, ...values: unknown[]) =>
  env.DB.prepare(query)
    .bind(...values)
    .run();

/** The local database with D1's limit of bound values. */
const asStrictAsD1: Pick<Env, "DB"> = {
  DB: new Proxy(env.DB, {
    get(real, name) {
      const member: unknown = Reflect.get(real, name);
      if (name !== "prepare") return typeof member === "function" ? member.bind(real) : member;
      return (query: string) => {
        const prepared = real.prepare(query);
        const { bind } = prepared;
        return Object.assign(prepared, {
          bind: (...values: unknown[]) => {
            if (values.some((value) => typeof value === "string" && Buffer.byteLength(value) > MOST))
              throw new Error("D1_ERROR: string or blob too big: SQLITE_TOOBIG");
            return Reflect.apply(bind, prepared, values);
          },
        });
      };
    },
  }),
};

describe("a bound value", () => {
  const lengthOf = (value: unknown) => db.get<{ bytes: number }>(sql`SELECT octet_length(${value}) AS bytes`);

  it.each([
    ["a string", "x".repeat(MOST), "x"],
    ["a string of longer characters", "é".repeat(MOST / 2), "x"],
  ])("may have 2,000,000 bytes, but not one more: %s", async (_, most, more) => {
    expect(await lengthOf(most)).toEqual({ bytes: MOST });
    await expect(lengthOf(most + more)).rejects.toMatchObject({
      cause: { message: expect.stringContaining("2000001 bytes, and D1 stores at most 2000000") },
    });
  });

  it("may be a blob of as many bytes", async () => {
    const { $client } = connect(env.DB);
    const statement = $client.prepare("SELECT octet_length(?) AS bytes");
    expect(await statement.bind(new ArrayBuffer(MOST)).first("bytes")).toBe(MOST);
    expect(() => statement.bind(new ArrayBuffer(MOST + 1))).toThrow("SQLITE_TOOBIG");
  });
});

describe("a request with 2,000,000 bytes", () => {
  it.each([
    ["a description", { description: "x".repeat(MOST) }],
    ["metadata", { metadata: { note: "x".repeat(MOST) } }],
  ])("is refused before it is read: %s", async (_, change) => {
    const product = await aProduct();
    const { status, body } = await call(`PUT /admin/products/${product.id}`, { as, body: change });
    expect([status, body]).toEqual([413, anError]);
    expect(body.details).toEqual([{ field: "body", code: "payload_too_large", limit: 1024 * 1024 }]);
  });
});

it("refuses a write whose stored answer is too large, and does nothing", async () => {
  const product = await aProduct();
  // Each character takes six bytes in JSON.
  await run(
    `UPDATE products SET description = replace(hex(zeroblob(${MOST})), '00', char(1)) WHERE id = ?`,
    product.id,
  );
  const request = { as, body: { delta: 5, reason: "Delivery" }, headers: { "Idempotency-Key": "a-large-answer" } };
  const { status, body } = await call(`POST /admin/products/${product.id}/stock`, request);
  expect([status, body]).toEqual([413, anError]);
  expect(body.details).toEqual([{ field: "body", code: "payload_too_large", limit: MOST }]);
  const left = `SELECT (SELECT count(*) FROM idempotency_keys WHERE key = 'a-large-answer') AS keys,
    (SELECT count(*) FROM stock_adjustments WHERE product_id = ?1) AS adjustments`;
  expect(await env.DB.prepare(left).bind(product.id).first()).toEqual({ keys: 0, adjustments: 0 });
  await run("DELETE FROM products WHERE id = ?", product.id);
});

it("imports rows whose products are too large together in smaller slices", async () => {
  const ids = (await someProducts(100)).map(({ id }) => id);
  await run(
    "UPDATE products SET sku = 'LARGE-' || id, description = ? WHERE id IN (SELECT value FROM json_each(?))",
    ...["x".repeat(20_000), JSON.stringify(ids)],
  );
  // The file is small, but a slice of 100 rows writes whole products: 2,000,000 bytes of descriptions alone.
  const priced = ["sku,price", ...ids.map((id) => `LARGE-${id},2.00`)].join("\n");
  const { id } = await aCheckedImport(priced, { as });
  const { body } = await call(`POST /admin/imports/products/${id}/start`, { as, body: {} });
  await runJob(body.data.job_id, asStrictAsD1);
  expect(await jobOf(body.data.job_id, as)).toMatchObject({ state: "completed", done: 100, failed: 0 });
  const changed = "SELECT count(*) AS n FROM products WHERE sku LIKE 'LARGE-%' AND price = 200";
  expect(await env.DB.prepare(changed).first("n")).toBe(100);
});

it("ends a backup whose lists no longer fit into the job's cursor, and says why", async () => {
  const { id } = (await call("POST /admin/backups", { as, body: {} })).body.data;
  await slice(id);
  expect(await stageOf(id)).toBe("walk");
  const cursor = await env.DB.prepare("SELECT cursor FROM jobs WHERE id = ?").bind(id).first<string>("cursor");
  const { walked, ...others } = JSON.parse(cursor ?? "");
  const [first, ...rest] = walked;
  const listing = (key: string) => {
    const parts = [{ key, sha256: "0".repeat(64), bytes: 1, lines: 1 }];
    return JSON.stringify({ ...others, walked: [{ ...first, parts }, ...rest] });
  };
  const full = listing("x".repeat(MOST - listing("").length));
  expect(full).toHaveLength(MOST);
  await run("UPDATE jobs SET cursor = ? WHERE id = ?", full, id);
  for (let slices = 0; slices < 200 && (await slice(id)); ) slices++;
  expect(await jobOf(id, as)).toMatchObject({ state: "failed" });
  expect(await failuresOf(id, as)).toMatchObject([
    { code: "payload_too_large", message: "The job takes more than 2 MB in the database" },
  ]);
});
