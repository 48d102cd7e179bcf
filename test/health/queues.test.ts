import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { readBackground } from "../../src/back-office/health/background.ts";
import { type QueueKind, queueKindNames, queueKinds } from "../../src/back-office/health/queue-table.ts";
import { DAY_MS, MINUTE_MS } from "../../src/domain/time.ts";
import { connect } from "../../src/platform/db/client.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { everyMinute } from "../../src/scheduled.ts";
import { counted } from "../support/counting.ts";
import { aUser } from "../support/shop.ts";

const run = (query: string, ...values: unknown[]) =>
  env.DB.prepare(query)
    .bind(...values)
    .run();

const background = (now = Date.now(), bindings: Env = env) =>
  readBackground({ env: bindings, db: connect(bindings.DB), settings: readSettings(bindings) }, now);

const queueOf = async (name: string, now?: number, bindings?: Env) =>
  (await background(now, bindings)).queues.find((queue) => queue.name === name);

const MANY = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)";

const ATTENTION = /^[A-Z].+\.$/;

it("explains each queue's age and what to do", () => {
  for (const name of queueKindNames) {
    const { because, remedy }: QueueKind = queueKinds[name];
    expect([because, remedy]).toEqual([expect.stringMatching(ATTENTION), expect.stringMatching(ATTENTION)]);
  }
});

it("is stuck once its oldest item has waited too long", async () => {
  const now = Date.now();
  await run(
    "INSERT INTO payments_to_close (provider, reference, created_at) VALUES ('stripe', 'late', ?)",
    now - 60_000,
  );
  expect(await queueOf("payments_to_close", now)).toMatchObject({ depth: 1, oldestSeconds: 60, isStuck: false });
  expect(await queueOf("payments_to_close", now + 30 * MINUTE_MS)).toMatchObject({
    oldestSeconds: 1860,
    isStuck: true,
  });
  await run("DELETE FROM payments_to_close");
  expect(await queueOf("payments_to_close", now)).toMatchObject({ depth: 0, oldestSeconds: null, isStuck: false });
});

it("does not report e-mails as late if the deployment cannot send them", async () => {
  await run(
    "INSERT INTO emails (key, template, recipient, params, due_at, created_at) VALUES ('k', 'low_stock', 'a@shop.test', '{}', 1, 1)",
  );
  const without = { ...env, MAIL_FROM: "" };
  expect(await queueOf("emails", undefined, without)).toMatchObject({ depth: 1, isOff: true, isStuck: false });
  const sending = { ...env, MAIL_FROM: "shop@shop.test", WORKER_URL: "https://shop.test" };
  expect(await queueOf("emails", undefined, sending)).toMatchObject({ depth: 1, isOff: false, isStuck: true });
  await run("DELETE FROM emails WHERE key = 'k'");
});

it("counts new events and sales until they are processed", async () => {
  await everyMinute(env, Date.now());
  await aUser();
  expect(await queueOf("events")).toMatchObject({ depth: expect.any(Number), isStuck: false });
  expect((await queueOf("events"))?.depth).toBeGreaterThan(0);
  await everyMinute(env, Date.now());
  expect(await queueOf("events")).toMatchObject({ depth: 0, oldestSeconds: null });
  expect(await queueOf("sales")).toMatchObject({ depth: 0 });
});

it("reads at most a thousand rows per queue, however many are pending or done", async () => {
  await env.DB.batch([
    env.DB.prepare(`${MANY} INSERT INTO emails (key, template, recipient, params, state, due_at, created_at)
      SELECT 'many' || i, 'low_stock', 'a@shop.test', '{}', iif(i % 4, 'sent', 'waiting'), iif(i % 4, NULL, 1), 1 FROM n`),
    env.DB.prepare(
      `${MANY} INSERT INTO events (type, subject, created_at, data) SELECT 'webhook.test', 'webhook:0', 1, '{}' FROM n`,
    ),
    env.DB.prepare(
      `${MANY} INSERT INTO payments_to_close (provider, reference, created_at) SELECT 'stripe', i, i FROM n`,
    ),
    env.DB.prepare(`${MANY} INSERT INTO jobs (kind, state, parameters, created_by, request_id, created_at, updated_at)
      SELECT 'check_products', iif(i % 4, 'completed', 'running'), '{}', 'user:1', 'r', i, i FROM n`),
  ]);
  const { bindings, trips, work } = counted();
  const { queues } = await background(Date.now(), bindings);
  expect(queues.filter(({ depth, depthIsExact }) => depth === 1000 && !depthIsExact).map(({ name }) => name)).toEqual([
    "emails",
    "payments_to_close",
    "events",
    "jobs",
  ]);
  expect(trips).toEqual({ d1: 1, durableObjects: 0, r2: 0 });
  expect(work.rowsRead).toBeLessThan(4 * 2 * 1000 + 100);
});

it("shows when the schedule last ran, and that it has stopped", async () => {
  const now = Date.now() + DAY_MS;
  await everyMinute(env, now);
  const { schedule, databaseBytes } = await background(now + MINUTE_MS);
  expect(schedule).toMatchObject({ startedAt: now, isStopped: false });
  expect(schedule.finishedAt).toBeGreaterThanOrEqual(now);
  expect(databaseBytes).toBeGreaterThan(100_000);
  expect((await background(now + 7 * MINUTE_MS)).schedule).toMatchObject({ isStopped: true });
});

it("names failing jobs until they succeed", async () => {
  const now = Date.now() + 2 * DAY_MS;
  await run("CREATE TRIGGER broken BEFORE INSERT ON sales_progress BEGIN SELECT RAISE(ABORT, 'broken'); END");
  await everyMinute(env, now);
  await everyMinute(env, now + MINUTE_MS);
  await run("DROP TRIGGER broken");
  expect((await background(now)).failingDuties).toEqual([
    expect.objectContaining({ duty: "add up sales", attempts: 2, reason: expect.stringContaining("broken") }),
  ]);
  await everyMinute(env, now + 2 * MINUTE_MS);
  expect((await background(now)).failingDuties).toEqual([]);
});
