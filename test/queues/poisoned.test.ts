import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { addUpAllSales } from "../../src/back-office/sales/add-up.ts";
import { newestSecret } from "../../src/platform/auth/seal.ts";
import { type QueueName, queueNames } from "../../src/platform/db/schema.ts";
import { everyMinute, type ScheduledTask } from "../../src/scheduled.ts";
import { aPaymentAccount } from "../payments/support/accounts.ts";
import { buy } from "../payments/support/shop.ts";
import { payByStripe, stripeAccount } from "../payments/support/stripe.ts";
import { TEST_CARD } from "../payments/support/test-card.ts";
import { anAccount, PASSWORD } from "../support/accounts.ts";
import { call } from "../support/call.ts";
import { aMailbox, MAIL_FROM } from "../support/emails.ts";
import { anAdministrator } from "../support/panel.ts";
import { aKey, aProduct, aUser, db, orderOf, settings } from "../support/shop.ts";
import { anAccountWithFactor } from "../support/two-factor.ts";
import { aWebhook } from "../webhooks/support.ts";

const DAY_MS = 86_400_000;
const MONTH_MS = 31 * DAY_MS;
const STRIPE = stripeAccount("poisoned");

const run = (query: string, ...values: unknown[]) =>
  env.DB.prepare(query)
    .bind(...values)
    .run();
const column = async (query: string, ...values: unknown[]): Promise<string[]> =>
  (
    await env.DB.prepare(query)
      .bind(...values)
      .raw()
  ).map(([value]) => String(value));

/** Items of a queue, and a way to make one of them fail. */
type Poison = {
  /** Creates several due items and returns their ids. */
  items: () => Promise<(string | number)[]>;
  /**
   * The condition under which a trigger refuses to process an item, or a function that makes it fail. Returns the cure.
   */
  poison: string | ((id: string) => Promise<Cure>);
  /** The ids of all unfinished items, which may include others. */
  left: (bindings: Env) => Promise<string[]>;
  bindings?: object;
  /** Time from now until the schedule runs. */
  after?: number;
};
type Cure = { bindings?: object; cure?: () => Promise<unknown> };

const three = async <Item>(make: (n: number) => Promise<Item>): Promise<Item[]> => [
  await make(1),
  await make(2),
  await make(3),
];

/** Three rows inserted with random ids in place of `$id`. */
const rows = (query: string) => () =>
  three(async () => {
    const id = crypto.randomUUID();
    await run(query.replaceAll("$id", `'${id}'`));
    return id;
  });

/** Three rows with ids assigned by the table. */
const numbered = (query: (n: number) => string) => () =>
  three(async (n) => Number((await run(`${query(n)}`)).meta.last_row_id));

const placed = async (method = "paypal") => {
  const { token } = await aUser({ wallet: 10_000 });
  const { body } = await call("POST /orders", {
    as: token,
    body: orderOf(await aProduct(), 1, { payment_method: method }),
  });
  return body.data.id as number;
};

const anAccountId = async () => (await aUser()).id;
const NEWEST = "Zq8vN2kLx5Rw7Tb1Yc4Mf9Hj3Pd6Sg0A";
const NEWER = { LINK_SECRET: [NEWEST, ...settings.linkSecrets].join(",") };
const NOW = Date.now();
const inThePast = NOW - 1;
const mailbox = aMailbox();

const poisons: Record<QueueName, Poison> = {
  expire_orders: {
    items: () =>
      three(async () => {
        const id = await placed();
        await run("UPDATE orders SET expires_at = ? WHERE id = ?", inThePast, id);
        return id;
      }),
    poison: "UPDATE ON orders WHEN OLD.id = $id",
    left: () => column("SELECT id FROM orders WHERE status = 'pending'"),
  },
  send_refunds: {
    items: () =>
      three(async () => {
        const { order } = await buy(STRIPE);
        await payByStripe(STRIPE, order);
        const { meta } = await run(
          "INSERT INTO refunds (order_id, payment, amount, created_at) VALUES (?, 'pi_poisoned', 100, 1)",
          order.id,
        );
        return meta.last_row_id;
      }),
    poison: "UPDATE OF reference ON refunds WHEN OLD.id = $id",
    left: () => column("SELECT id FROM refunds WHERE reference IS NULL"),
    bindings: STRIPE,
  },
  confirm_test_payments: {
    items: async () => {
      const placed = await three(() => buy(TEST_CARD));
      const references = placed.map(({ order }) => order.payment.reference);
      for (const reference of references)
        await run("UPDATE test_payments SET state = 'paid', confirm_at = ? WHERE reference = ?", inThePast, reference);
      return references;
    },
    poison: "UPDATE OF confirm_at ON test_payments WHEN OLD.reference = $id",
    left: () => column("SELECT reference FROM test_payments WHERE confirm_at IS NOT NULL"),
    bindings: TEST_CARD,
  },
  close_payments: {
    items: async () =>
      (
        await rows(
          `INSERT INTO payments_to_close (provider, reference, created_at) VALUES ('paypal', $id, ${inThePast})`,
        )()
      ).map((id) => `paypal ${id}`),
    poison: "DELETE ON payments_to_close WHEN OLD.provider || ' ' || OLD.reference = $id",
    left: () => column("SELECT provider || ' ' || reference FROM payments_to_close"),
  },
  sync_subscriptions: {
    items: () =>
      three(async () => {
        const { meta } = await run(
          "INSERT INTO subscriptions (reference, customer, order_id, current_period_end, read_at, check_at, created_at, updated_at) VALUES (?1, 'cus_1', ?2, 1, 1, ?3, 1, 1)",
          crypto.randomUUID(),
          await placed(),
          inThePast,
        );
        return Number(meta.last_row_id);
      }),
    poison: "UPDATE ON subscriptions WHEN OLD.id = $id",
    left: () => column(`SELECT id FROM subscriptions WHERE check_at <= ${NOW}`),
  },
  erase_accounts: {
    items: () =>
      three(async () => {
        const { id, token } = await anAccount();
        await call("DELETE /account", { as: token, body: { current_password: PASSWORD } });
        return id;
      }),
    poison: "UPDATE OF erased_at ON users WHEN OLD.id = $id",
    left: () => column("SELECT id FROM users WHERE erase_at IS NOT NULL AND erased_at IS NULL"),
    after: 8 * DAY_MS,
  },
  write_emails: {
    items: async () => {
      await run("UPDATE event_cursors SET after_id = (SELECT max(id) FROM events) WHERE reader = 'e-mails'");
      const orders = await three(() => placed());
      return Promise.all(
        orders.map(async (id) =>
          String(
            (await column("SELECT id FROM events WHERE subject = ? AND type = 'order.created'", `order:${id}`))[0],
          ),
        ),
      );
    },
    poison:
      "INSERT ON emails WHEN NEW.order_id = (SELECT data ->> 'order_id' FROM events WHERE id = $id) AND NEW.template = 'order_confirmation'",
    left: () =>
      column(`SELECT id FROM events WHERE type = 'order.created' AND NOT EXISTS (
        SELECT 1 FROM emails WHERE order_id = data ->> 'order_id' AND template = 'order_confirmation')`),
    bindings: { ...mailbox, MAIL_FROM },
  },
  send_emails: {
    items: rows(`INSERT INTO emails (id, key, template, recipient, params, due_at, created_at)
      SELECT coalesce(max(id), 0) + 1, $id, 'email_changed', 'somebody@shop.test', '{}', 1, 1 FROM emails`),
    poison: async (key) => {
      await run(
        `CREATE TRIGGER poison_of_key BEFORE UPDATE ON emails WHEN OLD.key = '${key}' BEGIN SELECT RAISE(ABORT, 'poisoned'); END`,
      );
      return { cure: () => run("DROP TRIGGER poison_of_key") };
    },
    left: () => column("SELECT key FROM emails WHERE state = 'waiting' AND attempts = 0"),
    bindings: { ...mailbox, MAIL_FROM },
  },
  delete_emails: {
    items: numbered(
      (n) => `INSERT INTO emails (key, template, recipient, params, state, created_at)
        VALUES ('${crypto.randomUUID()}', 'email_changed', 'old-${n}@shop.test', '{}', 'sent', 1)`,
    ),
    poison: "DELETE ON emails WHEN OLD.id = $id",
    left: () => column("SELECT id FROM emails WHERE created_at = 1"),
  },
  add_up_sales: {
    items: async () => {
      await addUpAllSales(db);
      const orders = await three(() => placed("wallet"));
      return Promise.all(
        orders.map(
          async (id) =>
            `order_history ${(await column(`SELECT id FROM order_history WHERE order_id = ? AND "to" = 'processing'`, id))[0]}`,
        ),
      );
    },
    poison: `INSERT ON sales WHEN NEW.dimension = 'product' AND NEW.key = (
      SELECT CAST(product_id AS TEXT) FROM order_history JOIN order_items USING (order_id)
      WHERE 'order_history ' || order_history.id = $id)`,
    left: () =>
      column(`SELECT 'order_history ' || order_history.id FROM order_history JOIN order_items USING (order_id)
        WHERE "to" = 'processing' AND NOT EXISTS (
          SELECT 1 FROM sales WHERE dimension = 'product' AND key = CAST(product_id AS TEXT))`),
  },
  restart_jobs: {
    items: numbered(
      () => `INSERT INTO jobs (kind, parameters, created_by, request_id, created_at, updated_at)
        VALUES ('check_products', '{}', 'system', 'r', 1, ${NOW - DAY_MS})`,
    ),
    poison: "UPDATE OF instance ON jobs WHEN OLD.id = $id",
    left: () => column("SELECT id FROM jobs WHERE state = 'queued' AND instance IS NULL"),
    bindings: { JOBS: { create: async () => undefined, get: () => Promise.reject(new Error("gone")) } },
  },
  end_jobs: {
    items: numbered(
      () => `INSERT INTO jobs (kind, parameters, starts, created_by, request_id, created_at, updated_at)
        VALUES ('check_products', '{}', 10, 'system', 'r', 1, ${NOW - DAY_MS})`,
    ),
    poison: "UPDATE OF state ON jobs WHEN OLD.id = $id",
    left: () => column("SELECT id FROM jobs WHERE state = 'queued' AND starts >= 10"),
    bindings: { JOBS: { create: async () => undefined, get: () => Promise.reject(new Error("gone")) } },
  },
  publish_expiring_keys: {
    items: () => three(async () => (await aKey({ expiresAt: Date.now() + DAY_MS })).id),
    poison: "INSERT ON events WHEN NEW.subject = 'api_key:' || $id",
    left: () =>
      column(`SELECT id FROM api_keys WHERE expires_at IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM events WHERE subject = 'api_key:' || api_keys.id AND type = 'api_key.expiring')`),
  },
  publish_unused_keys: {
    items: () => three(async () => (await aKey({ createdAt: NOW - 91 * DAY_MS })).id),
    poison: "INSERT ON events WHEN NEW.subject = 'api_key:' || $id",
    left: () =>
      column(
        `SELECT id FROM api_keys WHERE created_at < ? AND NOT EXISTS (
          SELECT 1 FROM events WHERE subject = 'api_key:' || api_keys.id AND type = 'api_key.unused')`,
        NOW - 90 * DAY_MS,
      ),
  },
  seal_second_factors: {
    items: () => three(async () => (await anAccountWithFactor()).id),
    poison: async (id) => {
      const [sealed] = await column("SELECT sealed FROM totp_secrets WHERE user_id = ?", id);
      await run("UPDATE totp_secrets SET sealed = 'poisoned' WHERE user_id = ?", id);
      return { cure: () => run("UPDATE totp_secrets SET sealed = ? WHERE user_id = ?", sealed, id) };
    },
    left: () => column("SELECT user_id FROM totp_secrets WHERE sealed_under <> ?", newestSecret([NEWEST])),
    bindings: NEWER,
  },
  seal_webhook_secrets: {
    items: () => three(async () => (await aWebhook()).id),
    poison: "UPDATE OF sealed ON webhook_endpoints WHEN OLD.id = $id",
    left: () => column("SELECT id FROM webhook_endpoints WHERE sealed_under <> ?", newestSecret([NEWEST])),
    bindings: NEWER,
  },
  seal_payment_accounts: {
    items: async () => [await aPaymentAccount("stripe"), await aPaymentAccount("paypal")],
    poison: "UPDATE OF sealed ON payment_accounts WHEN OLD.id = $id",
    left: () => column("SELECT id FROM payment_accounts WHERE sealed_under <> ?", newestSecret([NEWEST])),
    bindings: NEWER,
  },
  delete_objects: {
    items: rows("INSERT INTO orphaned_objects (r2_key, delete_at) VALUES ($id, 1)"),
    poison: "UPDATE ON orphaned_objects WHEN OLD.r2_key = $id",
    left: () => column("SELECT r2_key FROM orphaned_objects"),
  },
  delete_uploads: {
    items: numbered(
      () => `INSERT INTO uploads (r2_key, r2_upload_id, file_name, declared_type, size_bytes, expires_at, created_at)
        VALUES ('${crypto.randomUUID()}', 'u', 'a.txt', 'text/plain', 1, 1, 1)`,
    ),
    poison: "DELETE ON uploads WHEN OLD.id = $id",
    left: () => column("SELECT id FROM uploads"),
  },
  delete_events: {
    items: async () => {
      const ids = await numbered(
        (n) =>
          `INSERT INTO events (type, subject, created_at, data) VALUES ('product.updated', 'product:${n}', 1, '{}')`,
      )();
      await run(
        "INSERT INTO events (type, subject, created_at, data) VALUES ('product.updated', 'product:1', 1, '{}')",
      );
      return ids;
    },
    poison: "DELETE ON events WHEN OLD.id = $id",
    left: () => column("SELECT id FROM events"),
    after: MONTH_MS,
  },
  end_sessions: {
    items: () =>
      three(async () => {
        const id = crypto.randomUUID();
        await run("INSERT INTO sessions (id, user_id, created_at) VALUES (?, ?, 1)", id, await anAccountId());
        await run("INSERT INTO refresh_tokens (hash, session_id, expires_at, created_at) VALUES (?1, ?1, 1, 1)", id);
        return id;
      }),
    poison: "UPDATE OF ended_at ON sessions WHEN OLD.id = $id",
    left: () => column("SELECT id FROM sessions WHERE ended_at IS NULL"),
  },
  delete_refresh_tokens: {
    items: () =>
      three(async () => {
        const id = crypto.randomUUID();
        await run(
          "INSERT INTO sessions (id, user_id, created_at, ended_at) VALUES (?, ?, 1, ?)",
          id,
          await anAccountId(),
          Date.now(),
        );
        await run("INSERT INTO refresh_tokens (hash, session_id, expires_at, created_at) VALUES (?1, ?1, 1, 1)", id);
        return id;
      }),
    poison: "DELETE ON refresh_tokens WHEN OLD.hash = $id",
    left: () => column("SELECT hash FROM refresh_tokens WHERE expires_at = 1"),
  },
  delete_sessions: {
    items: () =>
      three(async () => {
        const id = crypto.randomUUID();
        await run(
          "INSERT INTO sessions (id, user_id, created_at, ended_at) VALUES (?, ?, 1, 1)",
          id,
          await anAccountId(),
        );
        return id;
      }),
    poison: "DELETE ON sessions WHEN OLD.id = $id",
    left: () => column("SELECT id FROM sessions WHERE ended_at = 1"),
  },
  delete_links: {
    items: rows("INSERT INTO link_tokens (hash, purpose, expires_at, created_at) VALUES ($id, 'reset_password', 1, 1)"),
    poison: "DELETE ON link_tokens WHEN OLD.hash = $id",
    left: () => column("SELECT hash FROM link_tokens"),
  },
  delete_login_challenges: {
    items: () =>
      three(async () => {
        const id = crypto.randomUUID();
        await run("INSERT INTO login_challenges (hash, user_id, expires_at) VALUES (?, ?, 1)", id, await anAccountId());
        return id;
      }),
    poison: "DELETE ON login_challenges WHEN OLD.hash = $id",
    left: () => column("SELECT hash FROM login_challenges"),
  },
  delete_guest_carts: {
    items: numbered(
      () => `INSERT INTO carts (token_hash, expires_at, updated_at) VALUES ('${crypto.randomUUID()}', 1, 1)`,
    ),
    poison: "DELETE ON carts WHEN OLD.id = $id",
    left: () => column("SELECT id FROM carts"),
  },
  delete_checkout_sessions: {
    items: numbered(
      (
        n,
      ) => `INSERT INTO checkout_sessions (token, reference, kind, status, agent, content, expires_at, created_at, updated_at)
        VALUES ('chk_${n}', 'P${n}', 'checkout', 'open', 'https://agent.example', '{}', 1, 1, 1)`,
    ),
    poison: "DELETE ON checkout_sessions WHEN OLD.id = $id",
    left: () => column("SELECT id FROM checkout_sessions"),
  },
  delete_idempotency_keys: {
    items: async () => {
      await run("DELETE FROM idempotency_keys");
      return numbered(
        () => `INSERT INTO idempotency_keys (caller, key, fingerprint, answer, created_at)
          VALUES ('user:1', '${crypto.randomUUID()}', 'f', '{}', 1)`,
      )();
    },
    poison: "DELETE ON idempotency_keys WHEN OLD.rowid = $id",
    left: () => column("SELECT rowid FROM idempotency_keys"),
  },
  clear_audit_addresses: {
    items: numbered(
      () => `INSERT INTO audit_log (at, actor, address, action, subject, subject_id, request_id)
        VALUES (1, 'user:1', '192.0.2.1', 'user.update', 'user', 1, 'r')`,
    ),
    poison: "UPDATE OF address ON audit_log WHEN OLD.id = $id",
    left: () => column("SELECT id FROM audit_log WHERE address IS NOT NULL"),
  },
  delete_job_changes: {
    items: async () => {
      const job =
        await run(`INSERT INTO jobs (kind, state, parameters, created_by, request_id, created_at, updated_at, finished_at)
        VALUES ('change_products', 'completed', '{}', 'system', 'r', 1, 1, 1)`);
      return numbered(
        (n) => `INSERT INTO job_changes (job_id, subject_id, version) VALUES (${job.meta.last_row_id}, ${n}, 1)`,
      )();
    },
    poison: "DELETE ON job_changes WHEN OLD.rowid = $id",
    left: () => column("SELECT rowid FROM job_changes"),
  },
  delete_guest_drafts: {
    items: numbered(
      () => `INSERT INTO draft_orders (reference, status, content, created_at, updated_at)
        VALUES ('${crypto.randomUUID()}', 'sent', '{}', 1, 1)`,
    ),
    poison: "DELETE ON draft_orders WHEN OLD.id = $id",
    left: () => column("SELECT id FROM draft_orders"),
  },
  delete_staff_spending: {
    items: numbered(
      () => "INSERT INTO staff_spending (actor, amount, day_limit, created_at) VALUES ('user:1', 1, 100, 1)",
    ),
    poison: "DELETE ON staff_spending WHEN OLD.id = $id",
    left: () => column("SELECT id FROM staff_spending"),
  },
};

/** Queues of each scheduled task. A task without a queue states the reason. */
const queuesOf: Record<ScheduledTask, readonly QueueName[] | string> = {
  "follow clock changes": "writes one row",
  "expire unpaid orders": ["expire_orders"],
  "confirm test payments": ["confirm_test_payments"],
  "send refunds": ["send_refunds"],
  "e-mail staff their daily summaries": "writes one e-mail of all products",
  "announce deprecated operations": "writes e-mails to owners of keys in one batch",
  "skip e-mails that cannot be sent": "moves a cursor",
  "send e-mails": ["send_emails"],
  "delete old e-mails": ["delete_emails"],
  "close payment pages": ["close_payments"],
  "read due subscriptions": ["sync_subscriptions"],
  "delete expired sessions": ["end_sessions", "delete_refresh_tokens", "delete_sessions"],
  "delete expired app authorizations": "deletes them with one statement each",
  "delete expired links": ["delete_links"],
  "delete expired invitations": "deletes them with one statement",
  "delete expired sign-in challenges": ["delete_login_challenges"],
  "re-encrypt second factors": ["seal_second_factors"],
  "delete expired guest carts": ["delete_guest_carts"],
  "delete old drafts for guests": ["delete_guest_drafts"],
  "delete expired checkout sessions": ["delete_checkout_sessions"],
  "delete old idempotency keys": ["delete_idempotency_keys"],
  "delete old storage counts": "deletes counts, which nothing refers to",
  "delete old prices": "deletes prices, which nothing refers to",
  "delete old checks of VAT IDs": "deletes answers, which nothing refers to",
  "delete IP addresses from the audit log": ["clear_audit_addresses"],
  "delete undo data of jobs": ["delete_job_changes"],
  "delete old staff spending": ["delete_staff_spending"],
  "erase accounts": ["erase_accounts"],
  "back up": "starts one job",
  "restart jobs": ["restart_jobs", "end_jobs"],
  "publish events of expiring API keys": ["publish_expiring_keys"],
  "publish events of unused API keys": ["publish_unused_keys"],
  "notify agents of orders": "starts deliveries",
  "delete inactive agents": "deletes them with one statement",
  "delete old events": ["delete_events"],
  "publish changes of stock": "writes one event for each product",
  "follow events": ["write_emails"],
  "add up sales": ["add_up_sales"],
  "start webhook deliveries": "starts deliveries",
  "re-encrypt webhook secrets": ["seal_webhook_secrets"],
  "re-encrypt payment accounts": ["seal_payment_accounts"],
  "re-encrypt the secret of license keys": "writes one row",
  "delete orphaned objects": ["delete_objects", "delete_uploads"],
  "delete old request counts": "deletes counts, which nothing refers to",
  "delete resolved failures": "deletes what is about other items",
  "raise alerts": "looks at the whole shop",
};

it("covers the queues of all jobs", () => {
  expect(
    Object.values(queuesOf)
      .flatMap((queues) => (typeof queues === "string" ? [] : queues))
      .sort(),
  ).toEqual([...queueNames].sort());
});

const failuresOf = (queue: QueueName) =>
  env.DB.prepare("SELECT item, attempts, reason FROM failed_items WHERE queue = ?").bind(queue).all();

async function poisonBy(name: QueueName, id: string): Promise<Cure> {
  const { poison } = poisons[name];
  if (typeof poison !== "string") return poison(id);
  const trigger = `CREATE TRIGGER poison_of_${name} BEFORE ${poison.replaceAll("$id", `'${id}'`)}`;
  await run(`${trigger} BEGIN SELECT RAISE(ABORT, 'poisoned'); END`);
  return { cure: () => run(`DROP TRIGGER poison_of_${name}`) };
}

it("shows administrators items that failed three times, with the reason", async () => {
  const { id: account, token } = await anAccount();
  await call("DELETE /account", { as: token, body: { current_password: PASSWORD } });
  const { cure } = await poisonBy("erase_accounts", String(account));
  const { token: as } = await aUser({ role: "admin" });
  const administrator = await anAdministrator();
  const shown = async () => (await call("GET /admin/failed-items?queue=erase_accounts", { as })).body.data;
  let now = Date.now() + 8 * DAY_MS;
  for (const minutes of [0, 1, 2]) {
    expect(await shown()).toEqual([]);
    expect((await administrator.get("/admin")).html).not.toContain("keep failing");
    now += minutes * 60_000 + 30_000;
    await everyMinute(env, now);
  }
  expect(await shown()).toEqual([
    expect.objectContaining({ item: String(account), attempts: 3, reason: expect.stringContaining("poisoned") }),
  ]);
  expect((await administrator.get("/admin")).html).toContain("keep failing");
  expect((await administrator.get("/admin/jobs/failed-items")).html).toContain("Erase an account");
  expect((await call("GET /admin/failed-items", { as: (await aUser({ role: "viewer" })).token })).status).toBe(403);
  await cure?.();
  await everyMinute(env, now + 4 * 60_000);
  expect(await shown()).toEqual([]);
});

/** State of a queue after a run of the schedule: its failures and the remaining items. */
type Outcome = { failures: unknown[]; left: string[] };

/** The outcomes of three runs. One item of every queue is poisoned in the first two. */
async function outcomesOf(names: QueueName[]) {
  const queues: { name: QueueName; ids: string[]; cure: Cure["cure"] }[] = [];
  const bindings = {};
  const poisoned = {};
  for (const name of names) {
    const ids = (await poisons[name].items()).map(String);
    queues.push({ name, ids, cure: undefined });
    Object.assign(bindings, poisons[name].bindings);
  }
  for (const queue of queues) {
    const { cure, bindings: instead } = await poisonBy(queue.name, queue.ids[1] ?? "");
    queue.cure = cure;
    Object.assign(poisoned, instead);
  }
  const outcomes = new Map(queues.map(({ name, ids }) => [name, { poisoned: ids[1], runs: [] as Outcome[] }]));
  const runAt = async (now: number, more: object = {}, atOnce = 1) => {
    await Promise.all(Array.from({ length: atOnce }, () => everyMinute({ ...env, ...bindings, ...more }, now)));
    for (const { name, ids } of queues) {
      const [{ results: failures }, all] = await Promise.all([failuresOf(name), poisons[name].left(env)]);
      outcomes.get(name)?.runs.push({ failures, left: ids.filter((id) => all.includes(id)) });
    }
  };
  const now = Date.now() + (poisons[names[0] ?? "expire_orders"].after ?? 0);
  // Runs overlap, as a slow run and requests do. The failure counts once.
  await runAt(now, poisoned, 3);
  await runAt(now + 30_000, poisoned);
  for (const { cure } of queues) await cure?.();
  // Event consumers use the clock rather than the scheduled time.
  await run("UPDATE failed_items SET next_attempt_at = 1 WHERE queue = 'write_emails'");
  // The retry is due a minute after the failure, which happens somewhat after the start of the run.
  await runAt(now + 10 * 60_000);
  return outcomes;
}

/** Queues that are due at the same time: one run shows that a failing item delays no other item of any queue. */
const together = Map.groupBy(queueNames, (name) => poisons[name].after ?? 0);

describe.each([...together])("of the queues due after %i ms", (_, names) => {
  let outcomes: Awaited<ReturnType<typeof outcomesOf>>;
  beforeAll(async () => {
    outcomes = await outcomesOf(names);
  });

  it.each(names)(
    "%s finishes all other items in the run in which one fails, and that one once it can be done",
    (name) => {
      const { poisoned, runs } = outcomes.get(name) ?? {};
      const failure = { item: expect.any(String), attempts: 1, reason: expect.any(String) };
      expect(runs).toEqual([
        { failures: [failure], left: [poisoned] },
        { failures: runs?.[0]?.failures, left: [poisoned] },
        { failures: [], left: [] },
      ]);
    },
  );
});
