import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../src/domain/time.ts";
import { call } from "../support/call.ts";
import { aMailbox, scheduledAt } from "../support/emails.ts";
import { aUser } from "../support/shop.ts";
import { aWebhook } from "../webhooks/support.ts";

const run = (query: string, ...values: unknown[]) =>
  env.DB.prepare(query)
    .bind(...values)
    .run();

let now = Date.now();
let admin: { token: string; email: string };
let mailbox: ReturnType<typeof aMailbox>;

/** Runs the schedule some minutes later. */
const later = (minutes: number, bindings: object = {}) => {
  now += minutes * MINUTE_MS;
  return scheduledAt(now, { ...mailbox, ...bindings });
};

/** Subjects of the e-mails to a recipient. */
const told = (to = admin.email) => mailbox.delivered.filter((email) => email.to === to).map(({ subject }) => subject);

const wait = (reference: string, at = now - 60 * MINUTE_MS) =>
  run("INSERT INTO payments_to_close (provider, reference, created_at) VALUES ('stripe', ?, ?)", reference, at);

/** The hour in which providers cannot be reached has passed: the schedule would give up and delete pending requests. */
const held = (reference: string) =>
  run(
    "INSERT INTO failed_items (queue, item, attempts, reason, created_at, failed_at, next_attempt_at) VALUES ('close_payments', ?, 1, 'held', 1, 1, ?)",
    `stripe ${reference}`,
    now + 30 * DAY_MS,
  );

async function systemEvents(kind: string) {
  const { body } = await call("GET /admin/events?type=system.alert_raised,system.alert_resolved&per_page=100", {
    as: admin.token,
  });
  const events = body.data as { type: string; subject: string; data: Record<string, unknown> }[];
  return events.filter(({ data }) => data.kind === kind);
}

const typesOf = async (kind: string) => (await systemEvents(kind)).map(({ type }) => type);

beforeEach(async () => {
  admin = await aUser({ role: "admin" });
  mailbox = aMailbox();
});

it("is raised once, sent to administrators, and resolved once its cause has been gone for ten minutes", async () => {
  await later(5);
  await wait("one");
  await held("one");
  for (const minutes of [5, 1, 5, 5]) await later(minutes);
  const summary = "1 page has waited for 1 hour.";
  expect(await systemEvents("queue_stuck")).toEqual([
    expect.objectContaining({
      type: "system.alert_raised",
      subject: expect.stringMatching(/^alert:\d+$/),
      data: { alert_id: expect.any(Number), kind: "queue_stuck", about: "payments_to_close", summary },
    }),
  ]);
  expect(told()).toEqual(["Alert at Storefront: Stuck queue: Payment pages to close"]);
  expect(mailbox.delivered.find(({ to }) => to === admin.email)?.text).toContain(`${summary}\n\nCheck the payment`);
  await run("DELETE FROM payments_to_close");
  await later(5);
  await later(5);
  expect(await typesOf("queue_stuck")).toEqual(["system.alert_raised"]);
  await later(5);
  await later(1);
  expect(await typesOf("queue_stuck")).toEqual(["system.alert_raised", "system.alert_resolved"]);
  expect(told()).toEqual([
    "Alert at Storefront: Stuck queue: Payment pages to close",
    "Resolved at Storefront: Stuck queue: Payment pages to close",
  ]);
});

it("is sent again after a day, and goes to the shop's chosen address", async () => {
  await call("PUT /admin/shop", { as: admin.token, body: { alert_email: "ops@shop.test" } });
  const webhook = await aWebhook();
  await run("UPDATE webhook_endpoints SET enabled = FALSE, pause_reason = 'gone' WHERE id = ?", webhook.id);
  for (const minutes of [5, 5, 23 * 60, 60, 1]) await later(minutes);
  expect(told("ops@shop.test")).toEqual([
    `Alert at Storefront: Paused webhook: #${webhook.id}`,
    `Still open at Storefront: Paused webhook: #${webhook.id}`,
  ]);
  expect(told()).toEqual([]);
  expect(await systemEvents("endpoint_paused")).toMatchObject([
    {
      data: {
        about: `webhook:${webhook.id}`,
        summary: `Webhook ${webhook.id} was paused because it answered 410 Gone.`,
      },
    },
  ]);
  await call("PUT /admin/shop", { as: admin.token, body: { alert_email: null } });
  await run("DELETE FROM webhook_endpoints");
});

it("is raised when the rate of failed requests exceeds the shop's limit", async () => {
  const count = (requests: number, failed: number) =>
    run(
      `INSERT INTO request_counts (period, caller, start, route, version, last_at, requests, server_errors)
       VALUES ('minute', '', ?, '', 'v1', 1, ?, ?)
       ON CONFLICT DO UPDATE SET requests = excluded.requests, server_errors = excluded.server_errors`,
      Math.floor(now / MINUTE_MS) * MINUTE_MS,
      requests,
      failed,
    );
  now += 10 * MINUTE_MS;
  await count(100, 4);
  await later(5);
  expect(await typesOf("error_rate")).toEqual([]);
  await count(100, 8);
  await later(5);
  expect(await systemEvents("error_rate")).toMatchObject([
    { data: { summary: expect.stringMatching(/^6\.0 % of 200 requests failed in the last ten minutes/) } },
  ]);
});

it("writes no e-mail while e-mails are stuck, and reports the rest by events", async () => {
  await run(
    "INSERT INTO emails (key, template, recipient, params, due_at, created_at) VALUES ('stuck', 'low_stock', 'a@shop.test', '{}', ?, 1)",
    now + 30 * DAY_MS,
  );
  await later(5);
  expect((await systemEvents("queue_stuck")).at(-1)).toMatchObject({ data: { about: "emails" } });
  expect(told().filter((subject) => subject.includes("E-mails"))).toEqual([]);
  await run("DELETE FROM emails WHERE key = 'stuck'");
});

it("names secrets in use for a year, and none that was replaced", async () => {
  await later(5);
  await later(366 * 24 * 60);
  const old = async () => (await systemEvents("secret_age")).map(({ data }) => data.about);
  expect(await old()).toEqual(["API_KEY_SECRET", "LINK_SECRET", "SIGNING_KEYS", "TOKEN_KEYS"]);
  const { results } = await run("SELECT * FROM known_secrets");
  expect(JSON.stringify(results)).not.toContain(env.LINK_SECRET.slice(0, 8));
  const LINK_SECRET = `${"kqWv93nfRt5LpZx81cYb"}${"hGd72mUs6eJa40TiQoBw"},${env.LINK_SECRET}`;
  for (const minutes of [5, 5, 5]) await later(minutes, { LINK_SECRET });
  expect((await systemEvents("secret_age")).at(-1)).toMatchObject({
    type: "system.alert_resolved",
    data: { about: "LINK_SECRET" },
  });
});
