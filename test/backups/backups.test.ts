import { env } from "cloudflare:workers";
import { gunzipSync } from "node:zlib";
import { eq, isNotNull } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { eraseDueAccounts } from "../../src/accounts/personal-data/erase-due.ts";
import { backUpDaily, readBackupStatus } from "../../src/back-office/backups/backups.ts";
import { users } from "../../src/platform/db/schema.ts";
import { bucket, emptyBucket, expectWhole, inSlices, newest, slice, stageOf } from "../support/backups.ts";
import { call, callWith } from "../support/call.ts";
import { runJob } from "../support/jobs.ts";
import { anAdministrator } from "../support/panel.ts";
import { aProduct, aUser, db, orderOf, settings } from "../support/shop.ts";

let as: string;

beforeEach(async () => {
  as = (await aUser({ role: "admin" })).token;
  // Every test starts without backups.
  await emptyBucket();
  await env.DB.exec("UPDATE jobs SET state = 'cancelled' WHERE state IN ('queued', 'running')");
});

const buy = async (product: { id: number; price: number }, user?: { token: string }) => {
  const { token } = user ?? (await aUser({ wallet: 1_000_000 }));
  const { status, body } = await call("POST /orders", { as: token, body: orderOf(product) });
  expect([status, body]).toEqual([201, expect.anything()]);
  return body.data;
};

const refund = async (id: number) => {
  const { status } = await call(`POST /admin/orders/${id}/refunds`, { as, body: {} });
  expect(status).toBe(200);
};

const start = async () => (await call("POST /admin/backups", { as, body: {} })).body.data.id;

describe("a backup", () => {
  it("contains every table of a small shop as it was in one transaction", async () => {
    await buy(await aProduct());
    const id = await start();
    await runJob(id);
    const manifest = await newest(as);
    await expectWhole(manifest);
    expect(manifest.tables.every(({ changes, present }) => changes.length === 0 && present === null)).toBe(true);
    expect(manifest.tables.map(({ name }) => name)).not.toContain("products_search_data");
    expect(manifest.sequences.products).toBeGreaterThan(0);
    expect((await call(`GET /admin/jobs/${id}`, { as })).body.data).toMatchObject({
      ...{ state: "completed", done: manifest.rows, total: manifest.rows },
    });
  });

  it("contains a large shop as of one time, whatever changes between the slices", async () => {
    const product = await aProduct({ stock: 100 });
    const untouched = await aProduct();
    const old = [await buy(product), await buy(product), await buy(untouched)];
    const id = await start();
    await slice(id);
    let slices = 0;
    for (; await slice(id); slices++) {
      if ((await stageOf(id)) !== "walk") continue;
      const order = await buy(product);
      if (slices % 3 === 1) await refund(order.id);
      if (slices === 6) await refund(old[0].id);
      if (slices === 8) await env.DB.exec("DELETE FROM sessions WHERE id IN (SELECT id FROM sessions LIMIT 2)");
    }
    expect(slices).toBeGreaterThan(9);
    const manifest = await newest(as);
    const { orders, products } = Object.fromEntries(manifest.tables.map((table) => [table.name, table]));
    expect([orders?.changes.length, products?.changes.length]).toEqual([1, 1]);
    // Rows that did not change are not read again.
    expect(products?.changes[0]?.lines).toBe(1);
    await expectWhole(manifest);
  });

  it("continues where the bucket failed, and is listed only when it is complete", async () => {
    const id = await start();
    await slice(id);
    await slice(id);
    const put = () => Promise.reject(new Error("R2 is down"));
    const BACKUPS = new Proxy(bucket, {
      get: (target, name) => (name === "put" ? put : Reflect.get(target, name).bind(target)),
    });
    const failing = { ...inSlices, BACKUPS };
    await expect(async () => {
      for (let n = 0; n < 100; n++) await slice(id, failing);
    }).rejects.toThrow("R2 is down");
    expect((await call("GET /admin/backups", { as })).body.data.backups).toEqual([]);
    await runJob(id, inSlices as object);
    await expectWhole(await newest(as));
  });

  it("is not harmed by a slice that runs twice", async () => {
    const id = await start();
    for (let going = true; going; ) {
      const [first, second] = await Promise.all([slice(id), slice(id)]);
      going = first > 0 && second > 0;
    }
    await runJob(id, inSlices as object);
    await expectWhole(await newest(as));
  });

  it("starts again when an account was erased meanwhile, and deletes what it had read", async () => {
    await aUser({ eraseAt: Date.now() });
    const id = await start();
    for (let n = 0; n < 5; n++) await slice(id);
    const before = (await bucket.list()).objects.map(({ key }) => key);
    expect(before.length).toBeGreaterThan(0);
    // The erasure began before the backup, and ends now.
    await env.DB.exec("UPDATE jobs SET state = 'failed' WHERE state = 'running'");
    await eraseDueAccounts(env, db, Date.now());
    await env.DB.prepare("UPDATE jobs SET state = 'running' WHERE id = ?").bind(id).run();
    await runJob(id, inSlices as object);
    await expectWhole(await newest(as));
    const after = new Set((await bucket.list()).objects.map(({ key }) => key));
    expect(before.filter((key) => after.has(key))).toEqual([]);
  });

  it("ends although accounts keep being due for erasure, which waits for it", async () => {
    const id = await start();
    await slice(id);
    const due: { id: number }[] = [];
    const erased = async () => {
      await eraseDueAccounts(env, db, Date.now());
      const rows = await db.select().from(users).where(isNotNull(users.erasedAt));
      return due.filter((account) => rows.some((row) => row.id === account.id)).length;
    };
    let slices = 0;
    for (; await slice(id); slices++) {
      if ((await stageOf(id)) !== "walk") continue;
      if (slices % 5 === 0) due.push(await aUser({ eraseAt: Date.now() }));
      expect(await erased()).toBe(0);
      expect(slices).toBeLessThan(100);
    }
    await expectWhole(await newest(as));
    expect(due.length).toBeGreaterThan(1);
    expect(await erased()).toBe(due.length);
  });

  it("does not hold up erasure after it failed", async () => {
    const id = await start();
    await slice(id);
    const account = await aUser({ eraseAt: Date.now() });
    await env.DB.prepare("UPDATE jobs SET state = 'failed' WHERE id = ?").bind(id).run();
    await eraseDueAccounts(env, db, Date.now());
    const row = await db.select().from(users).where(eq(users.id, account.id)).get();
    expect(row?.erasedAt).not.toBeNull();
  });

  it("lists the objects of the shop with size and hash, and copies each once", async () => {
    await env.FILES.put("files/one", "one");
    await env.FILES.put("derived/images/one/160", "resized");
    const first = await start();
    await runJob(first);
    await env.FILES.put("files/two", "two");
    const second = await start();
    await runJob(second);
    const { objects } = await newest(as);
    const [part] = objects.parts;
    const bytes = new Uint8Array((await (await bucket.get(part?.key ?? ""))?.arrayBuffer()) ?? []);
    const lines = gunzipSync(bytes)
      .toString()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toContainEqual(["files/two", 3, (await env.FILES.head("files/two"))?.etag, expect.any(Number)]);
    expect(objects.count).toBe(lines.length);
    expect(lines.filter(([key]) => key.startsWith("derived/"))).toEqual([]);
    expect((await bucket.list({ prefix: "objects/derived/" })).objects).toEqual([]);
    expect(await (await bucket.get("objects/files/two"))?.text()).toBe("two");
    const copies = await bucket.list({ prefix: "objects/files/one" });
    expect(copies.objects).toHaveLength(1);
  });

  it("is listed although another tool copied its manifest back without metadata", async () => {
    await runJob(await start());
    const { id } = await newest(as);
    const key = `manifests/${id}.json`;
    const copy = await (await bucket.get(key))?.text();
    await bucket.put(key, copy ?? "");
    const { status, body } = await call("GET /admin/backups", { as });
    expect([status, body.data.backups]).toEqual([200, [expect.objectContaining({ id })]]);
    expect((await call("GET /admin/health", { as })).status).toBe(200);
  });

  it("is shown in the panel with the command that restores it", async () => {
    await runJob(await start());
    const { id } = await newest(as);
    const { html } = await (await anAdministrator()).get("/admin/backups");
    expect(html).toContain(`npm run restore -- ${id} --into`);
  });

  it("is refused while another is running, and without a bucket", async () => {
    await start();
    const twice = await call("POST /admin/backups", { as, body: {} });
    expect([twice.status, twice.body.code]).toEqual([409, "wrong_job_state"]);
    const none = { BACKUPS: undefined } as unknown as Partial<Env>;
    const without = await callWith(none, "POST /admin/backups", { as, body: {} });
    expect([without.status, without.body.code]).toEqual([409, "backups_not_set_up"]);
    const { body } = await callWith(none, "GET /admin/backups", { as });
    expect(body.data).toMatchObject({ is_set_up: false, is_overdue: false, backups: [] });
  });
});

describe("the schedule", () => {
  const daily = { ...settings, allowsReservedDomains: false };
  const HOUR = 3_600_000;
  const jobs = async () =>
    (
      await env.DB.prepare("SELECT id, state FROM jobs WHERE kind = 'back_up' ORDER BY id").all<{
        id: number;
        state: string;
      }>()
    ).results;

  it("backs up once a day, again an hour after a failure, and reports a missing backup", async () => {
    await env.DB.exec("DELETE FROM jobs");
    const morning = Math.floor(Date.now() / (24 * HOUR)) * 24 * HOUR + 3 * HOUR - 24 * HOUR;
    const at = (now: number) => backUpDaily(env, db, { settings: daily, now });
    await at(morning);
    await at(morning + HOUR);
    const [first, ...others] = await jobs();
    expect(others).toEqual([]);
    await env.DB.exec(`UPDATE jobs SET state = 'failed', updated_at = ${morning}`);
    await at(morning + HOUR / 2);
    expect(await jobs()).toHaveLength(1);
    await at(morning + 2 * HOUR);
    const [, second] = await jobs();
    expect(second?.id).toBeGreaterThan(first?.id ?? 0);
    await runJob(second?.id ?? 0);
    await at(morning + 20 * HOUR);
    expect(await jobs()).toHaveLength(2);
    const status = (now: number) => readBackupStatus(env, db, { settings: daily, now });
    expect((await status(Date.now())).isOverdue).toBe(false);
    expect((await status(Date.now() + 31 * HOUR)).isOverdue).toBe(true);
  });
});
