import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { newestSecret } from "../../src/platform/auth/seal.ts";
import { type QueueName, queueNames } from "../../src/platform/db/schema.ts";
import { everyMinute } from "../../src/scheduled.ts";
import { buy } from "../payments/support/shop.ts";
import { TEST_CARD } from "../payments/support/test-card.ts";
import { anAccount } from "../support/accounts.ts";
import { counted, QUERY_LIMIT } from "../support/counting.ts";
import { aMailbox, MAIL_FROM } from "../support/emails.ts";
import { LONG } from "../support/long.ts";
import { placeOrder } from "../support/orders.ts";
import { aKey, aUser, settings } from "../support/shop.ts";
import { anAccountWithFactor } from "../support/two-factor.ts";

const NOW = Date.now();
const NEWEST = "Zq8vN2kLx5Rw7Tb1Yc4Mf9Hj3Pd6Sg0A";
const DAY_MS = 86_400_000;

/** The queues together hold more than 10,000 items. */
const EACH = 360;
const MANY = `WITH RECURSIVE many (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < ${EACH})`;

const run = (query: string, ...values: unknown[]) =>
  env.DB.prepare(query)
    .bind(...values)
    .run();

/** Inserts copies of a row, with other expressions for some columns. */
async function copy(table: string, which: string, changed: Record<string, string>) {
  const { results } = await env.DB.prepare(`SELECT name FROM pragma_table_info('${table}')`).all<{ name: string }>();
  const names = results.map(({ name }) => name).filter((name) => name !== "id");
  await run(`${MANY} INSERT INTO ${table} (${names.map((name) => `"${name}"`).join(", ")})
    SELECT ${names.map((name) => changed[name] ?? `"${name}"`).join(", ")} FROM ${table} CROSS JOIN many WHERE ${which}`);
}

const rows = (query: string) => () => run(`${MANY} ${query} FROM many`);

const anOrder = async (payment_method = "paypal") => (await placeOrder({ payment_method })).id;

const sessions = (name: string, endedAt: number | null) => async () =>
  run(
    `${MANY} INSERT INTO sessions (id, user_id, created_at, ended_at) SELECT '${name}' || n, ?, 1, ? FROM many`,
    (await aUser()).id,
    endedAt,
  );

const sessionsWithTokens = (name: string, endedAt: number | null) => async () => {
  await sessions(name, endedAt)();
  await rows(`INSERT INTO refresh_tokens (hash, session_id, expires_at, created_at)
    SELECT '${name}' || n, '${name}' || n, 1, 1`)();
};

/** A failing item waits for its next attempt, so it has had its turn. */
const hasNotFailed = (queue: QueueName, id: string) =>
  `NOT EXISTS (SELECT 1 FROM failed_items WHERE queue = '${queue}' AND item = CAST(${id} AS TEXT))`;

/** How to fill a queue, and the rows that it still holds. */
const backlogs: Record<QueueName, [fill: () => Promise<unknown>, left: string]> = {
  expire_orders: [
    async () => {
      const id = await anOrder();
      await run("UPDATE unpaid_limits SET orders_waiting = 1000");
      await copy("orders", `id = ${id}`, {
        reference: "'X' || n",
        sequence: "10000 + n",
        number: "'#' || (10000 + n)",
        keyed: "1",
        expires_at: "1",
      });
    },
    "orders WHERE status = 'pending' AND expires_at = 1",
  ],
  send_refunds: [
    async () =>
      rows(`INSERT INTO refunds (order_id, payment, amount, created_at) SELECT ${await anOrder("wallet")}, n, 1, 1`)(),
    `refunds WHERE reference IS NULL AND ${hasNotFailed("send_refunds", "refunds.id")}`,
  ],
  confirm_test_payments: [
    async () => {
      const { order } = await buy(TEST_CARD);
      await copy("test_payments", `reference = '${order.payment.reference}'`, {
        reference: "'test_' || n",
        state: "'paid'",
        confirm_at: "1",
      });
    },
    "test_payments WHERE confirm_at IS NOT NULL",
  ],
  close_payments: [
    rows("INSERT INTO payments_to_close (provider, reference, created_at) SELECT 'paypal', n, 1"),
    "payments_to_close",
  ],
  // Of the orders of expire_orders.
  sync_subscriptions: [
    () =>
      run(`INSERT INTO subscriptions (reference, customer, order_id, current_period_end, read_at, check_at, created_at, updated_at)
        SELECT reference, 'cus_1', id, 1, 1, 1, 1, 1 FROM orders WHERE reference GLOB 'X[0-9]*'`),
    "subscriptions WHERE check_at = 1",
  ],
  erase_accounts: [
    async () =>
      copy("users", `id = ${(await anAccount()).id}`, { email: "'erased' || n || '@shop.test'", erase_at: "1" }),
    "users WHERE erase_at IS NOT NULL AND erased_at IS NULL",
  ],
  write_emails: [
    async () => {
      const id = await anOrder();
      await run(
        "INSERT INTO event_cursors (reader, after_id) SELECT 'e-mails', max(id) FROM events WHERE TRUE ON CONFLICT DO UPDATE SET after_id = excluded.after_id",
      );
      await rows(
        `INSERT INTO events (type, subject, created_at, data) SELECT 'order.created', 'order:${id}', ${NOW}, json_object('order_id', ${id})`,
      )();
    },
    "events WHERE type = 'order.created' AND id > (SELECT after_id FROM event_cursors WHERE reader = 'e-mails')",
  ],
  send_emails: [
    rows(
      "INSERT INTO emails (key, template, recipient, params, due_at, created_at) SELECT 'due' || n, 'email_changed', 'due@shop.test', '{}', 1, 1000000000000000",
    ),
    "emails WHERE key LIKE 'due%' AND state = 'waiting' AND attempts = 0",
  ],
  delete_emails: [
    rows(
      "INSERT INTO emails (key, template, recipient, params, state, created_at) SELECT 'old' || n, 'email_changed', 'old@shop.test', '{}', 'sent', 1",
    ),
    "emails WHERE key LIKE 'old%'",
  ],
  add_up_sales: [
    async () => copy("order_history", `order_id = ${await anOrder("wallet")} AND "to" = 'processing'`, { at: "1" }),
    `order_history WHERE at = 1 AND id > (SELECT history_id FROM sales_progress)`,
  ],
  restart_jobs: [
    rows(
      `INSERT INTO jobs (kind, parameters, created_by, request_id, created_at, updated_at) SELECT 'check_products', '{}', 'system', 'r', 1, ${NOW - DAY_MS}`,
    ),
    "jobs WHERE state = 'queued' AND instance IS NULL AND starts = 0",
  ],
  end_jobs: [
    rows(
      `INSERT INTO jobs (kind, parameters, starts, created_by, request_id, created_at, updated_at) SELECT 'check_products', '{}', 10, 'system', 'r', 1, ${NOW - DAY_MS}`,
    ),
    "jobs WHERE state = 'queued' AND starts >= 10",
  ],
  publish_expiring_keys: [
    async () =>
      copy("api_keys", `id = ${(await aKey({ expiresAt: NOW + DAY_MS })).id}`, { hash: "'x' || n", start: "'x' || n" }),
    "api_keys WHERE expires_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM events WHERE subject = 'api_key:' || api_keys.id AND type = 'api_key.expiring')",
  ],
  publish_unused_keys: [
    async () =>
      copy("api_keys", `id = ${(await aKey({ createdAt: NOW - 91 * DAY_MS })).id}`, {
        hash: "'u' || n",
        start: "'u' || n",
      }),
    `api_keys WHERE created_at < ${NOW - 90 * DAY_MS} AND NOT EXISTS (SELECT 1 FROM events WHERE subject = 'api_key:' || api_keys.id AND type = 'api_key.unused')`,
  ],
  seal_second_factors: [
    async () => {
      const { id } = await anAccountWithFactor();
      await copy("users", `id = ${id}`, { email: "'factor' || n || '@shop.test'" });
      await run(`INSERT INTO totp_secrets (user_id, sealed, sealed_under, confirmed_at, created_at)
        SELECT users.id, 'of another account', sealed_under, confirmed_at, 1 FROM users, totp_secrets WHERE email LIKE 'factor%'`);
    },
    `totp_secrets WHERE sealed_under <> '${newestSecret([NEWEST])}' AND ${hasNotFailed("seal_second_factors", "user_id")}`,
  ],
  seal_webhook_secrets: [
    () => Promise.resolve(),
    `webhook_endpoints WHERE sealed_under <> '${newestSecret([NEWEST])}'`,
  ],
  seal_payment_accounts: [
    () => Promise.resolve(),
    `payment_accounts WHERE sealed_under <> '${newestSecret([NEWEST])}'`,
  ],
  delete_objects: [
    rows("INSERT INTO orphaned_objects (r2_key, delete_at) SELECT 'orphan' || n, 1"),
    "orphaned_objects",
  ],
  delete_uploads: [
    rows(
      "INSERT INTO uploads (r2_key, r2_upload_id, file_name, declared_type, size_bytes, completed_at, expires_at, created_at) SELECT 'upload' || n, 'u', 'a.txt', 'text/plain', 1, 1, 1, 1",
    ),
    "uploads",
  ],
  delete_events: [
    rows(
      "INSERT INTO events (id, type, subject, created_at, data) SELECT n - 1000000, 'product.updated', 'product:1', 1, '{}'",
    ),
    "events WHERE created_at = 1 AND type = 'product.updated'",
  ],
  end_sessions: [sessionsWithTokens("end", null), "sessions WHERE ended_at IS NULL AND id LIKE 'end%'"],
  delete_refresh_tokens: [sessionsWithTokens("token", NOW), "refresh_tokens WHERE hash LIKE 'token%'"],
  delete_sessions: [sessions("old", 1), "sessions WHERE ended_at = 1"],
  delete_links: [
    rows("INSERT INTO link_tokens (hash, purpose, expires_at, created_at) SELECT 'link' || n, 'reset_password', 1, 1"),
    "link_tokens WHERE expires_at = 1",
  ],
  delete_login_challenges: [
    async () =>
      rows(
        `INSERT INTO login_challenges (hash, user_id, expires_at) SELECT 'challenge' || n, ${(await aUser()).id}, 1`,
      )(),
    "login_challenges WHERE expires_at = 1",
  ],
  delete_guest_carts: [
    rows("INSERT INTO carts (token_hash, expires_at, updated_at) SELECT 'cart' || n, 1, 1"),
    "carts WHERE expires_at = 1",
  ],
  delete_checkout_sessions: [
    rows(
      "INSERT INTO checkout_sessions (token, reference, kind, status, agent, content, expires_at, created_at, updated_at) SELECT 'chk' || n, 'P' || n, 'checkout', 'open', 'https://agent.example', '{}', 1, 1, 1",
    ),
    "checkout_sessions WHERE expires_at = 1",
  ],
  delete_idempotency_keys: [
    async () => {
      await run("DELETE FROM idempotency_keys");
      await rows(
        "INSERT INTO idempotency_keys (caller, key, fingerprint, answer, created_at) SELECT 'user:1', n, 'f', '{}', 1",
      )();
    },
    "idempotency_keys WHERE created_at = 1",
  ],
  clear_audit_addresses: [
    rows(
      "INSERT INTO audit_log (at, actor, address, action, subject, subject_id, request_id) SELECT 1, 'user:1', '192.0.2.1', 'user.update', 'user', 1, 'r'",
    ),
    "audit_log WHERE at = 1 AND address IS NOT NULL",
  ],
  delete_job_changes: [
    async () => {
      const { meta } =
        await run(`INSERT INTO jobs (kind, state, parameters, created_by, request_id, created_at, updated_at, finished_at)
        VALUES ('change_products', 'completed', '{}', 'system', 'r', 1, 1, 1)`);
      await rows(`INSERT INTO job_changes (job_id, subject_id, version) SELECT ${meta.last_row_id}, n, 1`)();
    },
    "job_changes",
  ],
  delete_guest_drafts: [
    rows(
      "INSERT INTO draft_orders (reference, status, content, created_at, updated_at) SELECT 'draft' || n, 'sent', '{}', 1, 1",
    ),
    "draft_orders",
  ],
  delete_staff_spending: [
    rows("INSERT INTO staff_spending (actor, amount, day_limit, created_at) SELECT 'user:1', 1, 1000, 1"),
    "staff_spending WHERE created_at = 1",
  ],
};

const BINDINGS: object = {
  ...TEST_CARD,
  ...aMailbox(),
  MAIL_FROM,
  LINK_SECRET: [NEWEST, ...settings.linkSecrets].join(","),
  JOBS: { create: async () => undefined, get: () => Promise.reject(new Error("gone")) },
  WEBHOOK_ENDPOINT: { getByName: () => ({ nudge: async () => undefined }) },
};

/** Items that each queue still holds. */
async function countLeft() {
  const counts = await env.DB.batch<{ left: number }>(
    queueNames.map((name) => {
      return env.DB.prepare(`SELECT count(*) AS left FROM ${backlogs[name][1]}`);
    }),
  );
  return new Map(queueNames.map((name, n) => [name, counts[n]?.results[0]?.left ?? 0]));
}

it("works on every queue in every run, within the queries of an invocation", LONG, async () => {
  for (const name of queueNames) await backlogs[name][0]();
  let before = await countLeft();
  expect([...before.values()].reduce((sum, left) => sum + left, 0)).toBeGreaterThanOrEqual(10_000);
  for (let minute = 1; minute <= 3; minute++) {
    const { bindings, work } = counted();
    await everyMinute({ ...bindings, ...BINDINGS }, NOW + minute);
    expect(work.statements).toBeLessThanOrEqual(QUERY_LIMIT);
    const after = await countLeft();
    expect(queueNames.filter((name) => before.get(name) && after.get(name) === before.get(name))).toEqual([]);
    before = after;
  }
});
