import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { resealWebhookSecrets } from "../../src/integrations/webhooks/endpoints.ts";
import { newestSecret } from "../../src/platform/auth/seal.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { script } from "../payments/support/stand-in.ts";
import { call, callWith } from "../support/call.ts";
import { hostileAddresses } from "../support/hostile-addresses.ts";
import { asAdministrator } from "../support/settings.ts";
import { aKey, aUser, db } from "../support/shop.ts";
import { asKey, aWebhook, deliver, deliveriesOf, isVerified, publish } from "./support.ts";

const URL = "https://receiver.example/webhooks";

const create = async (body: Record<string, unknown>, as?: string) =>
  call("POST /admin/webhooks", { as: as ?? (await asKey()), body: { url: URL, types: [], ...body } });

it("shows the secret once, and nothing of it later", async () => {
  const made = await create({ types: ["order.paid", "product.*", "order.paid"], description: "Warehouse" });
  expect(made.status).toBe(201);
  const { secret, ...webhook } = made.body.data;
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
  expect(webhook).toMatchObject({
    url: URL,
    types: ["order.paid", "product.*"],
    description: "Warehouse",
    enabled: true,
    pause_reason: null,
    previous_secret_expires_at: null,
  });
  const as = await asKey();
  const read = await call(`GET /admin/webhooks/${webhook.id}`, { as });
  expect(read.body.data).toEqual(webhook);
  expect(made.headers.get("Location")).toBe(`/api/v1/admin/webhooks/${webhook.id}`);
  const stored = await env.DB.prepare("SELECT * FROM webhook_endpoints WHERE id = ?").bind(webhook.id).first();
  expect(JSON.stringify(stored)).not.toContain(secret);
  const audit = await env.DB.prepare("SELECT * FROM audit_log WHERE subject = 'webhook' AND subject_id = ?")
    .bind(webhook.id)
    .all();
  expect(audit.results).toHaveLength(1);
  expect(JSON.stringify(audit.results)).not.toMatch(/whsec|sealed/);
});

it("shows the secret again for a repeated Idempotency-Key, and creates no second endpoint", async () => {
  const [as, headers] = [await asKey(), { "Idempotency-Key": crypto.randomUUID() }];
  const body = { url: URL, types: [] };
  const answers = [];
  for (const _ of [1, 2]) answers.push(await call("POST /admin/webhooks", { as, body, headers }));
  expect(answers[1]?.body.data).toEqual(answers[0]?.body.data);
  expect(answers[1]?.headers.get("Idempotent-Replayed")).toBe("true");
});

describe("a URL", () => {
  const strict = { WEBHOOK_LOCALHOST: "false" };

  it.each(hostileAddresses)("is refused when it is %s", async (url) => {
    const answer = await callWith(strict, "POST /admin/webhooks", { as: await asKey(), body: { url, types: [] } });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.errors)).toEqual(["url"]);
  });

  it.each([
    "https://shop.test/",
    "https://SHOP.test:8443/hook",
    "https://shop.test../",
    "https://inward.to-10-0-0-1.example/",
    "https://a.to-169-254-169-254.example/",
  ])("is refused when it is %s, which is internal", async (url) => {
    const answer = await create({ url });
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([400, ["url"]]);
  });

  it("is refused if a change would make it an internal one, and nothing changes", async () => {
    const webhook = await aWebhook();
    const answer = await call(`PUT ${webhook.path}`, { as: await asKey(), body: { url: "https://10.0.0.1/" } });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ["url"]]);
    expect((await call(`GET ${webhook.path}`, { as: await asKey() })).body.data.url).toBe(webhook.url);
  });

  const resolvesTo = (...addresses: string[]) => ({
    status: 200,
    body: { Status: 0, Answer: addresses.map((data) => ({ type: 1, data })) },
  });

  it.each([
    ["cannot be resolved yet", null, "The name of the address could not be resolved"],
    [
      "resolves to an internal address by then",
      resolvesTo("93.184.215.14", "10.0.0.1"),
      "The address must not lead to a private or reserved address",
    ],
    ["is unknown to a resolver that does not answer", { status: 500 }, "The name of the address could not be resolved"],
  ])("may have a name that %s: no request is made before it can", async (_, answer, error) => {
    const name = answer ? `${crypto.randomUUID()}.example` : "nowhere.example";
    const webhook = await aWebhook({ url: `https://${name}/hook` });
    if (answer) await script({ line: "GET /dns-query", about: name, times: 9, ...answer });
    await publish(1);
    await deliver(webhook);
    expect(await deliveriesOf(webhook)).toMatchObject([{ state: "pending", attempts: [{ status: null, error }] }]);
  });
});

it.each([
  [{ types: ["order.payed"] }, "types.0"],
  [{ types: ["*.paid"] }, "types.0"],
  [{ types: ["webhook.test"] }, "types.0"],
  [{ types: "order.paid" }, "types"],
  [{ types: undefined }, "types"],
  [{ url: undefined }, "url"],
  [{ url: `${URL}?${"x".repeat(2_000)}` }, "url"],
  [{ url: `${URL}\n\nSign in at https://elsewhere.example` }, "url"],
  [{ description: "two\nlines" }, "description"],
  [{ enabled: "yes" }, "enabled"],
  [{ secret: "whsec_mine" }, "secret"],
])("refuses %j, naming %s", async (body, field) => {
  const answer = await create(body);
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, [field]]);
});

it("stores a wildcard without the types that it includes", async () => {
  await env.DB.prepare("DELETE FROM webhook_endpoints").run();
  const types = ["order.paid", "order.*", "product.created"];
  expect((await create({ types })).body.data.types).toEqual(["order.*", "product.created"]);
  expect(
    (await create({ url: `${URL}/all`, types: ["*", ...types] }, await asAdministrator())).body.data.types,
  ).toEqual(["*"]);
});

it("refuses a second endpoint with an address that would be sent events twice, and names the first", async () => {
  await env.DB.prepare("DELETE FROM webhook_endpoints").run();
  const as = await asKey();
  const { id } = (await create({ types: ["order.*", "product.created"] })).body.data;
  const refused = await create({ types: ["order.paid"] });
  expect([refused.status, refused.body.details]).toEqual([400, [{ field: "url", code: "url_taken" }]]);
  expect(refused.body.errors.url).toEqual([`is the address of webhook ${id}, which already receives order.paid`]);
  for (const place of ["RECEIVER.example", "receiver.example:443", "receiver.example/."])
    expect((await create({ url: `https://${place}/webhooks#top`, types: ["order.paid"] })).body.code).toBe("url_taken");
  const second = (await create({ types: ["product.deleted"] })).body.data;
  const put = (body: object) => call(`PUT /admin/webhooks/${second.id}`, { as, body });
  expect((await put({ types: ["product.*"] })).body.code).toBe("url_taken");
  expect((await put({ types: ["product.updated"] })).status).toBe(200);
  const elsewhere = (await create({ url: `${URL}/2`, types: ["order.paid"] })).body.data;
  expect((await call(`PUT /admin/webhooks/${elsewhere.id}`, { as, body: { url: URL } })).body.code).toBe("url_taken");
  expect((await call(`PUT /admin/webhooks/${id}`, { as, body: { url: URL, types: ["order.*"] } })).status).toBe(200);
});

it("accepts no more than fifty", async () => {
  await env.DB.prepare("DELETE FROM webhook_endpoints").run();
  expect((await create({})).status).toBe(201);
  await env.DB.prepare(`WITH RECURSIVE copies (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM copies WHERE number < 48)
    INSERT INTO webhook_endpoints (key, url, types, enabled, account_scope, sealed, sealed_under, starts_after, created_at, updated_at)
    SELECT 'copy ' || number, url, types, 0, account_scope, sealed, sealed_under, starts_after, created_at, updated_at
    FROM copies JOIN webhook_endpoints ON key NOT LIKE 'copy %'`).run();
  expect((await create({})).status).toBe(201);
  expect((await create({})).body).toMatchObject({ code: "too_many_webhooks", details: [{ limit: 50 }] });
  await env.DB.prepare("DELETE FROM webhook_endpoints").run();
});

describe("an API key", () => {
  const ofOrders = () => aKey({ permissions: ["webhooks:read", "webhooks:write", "orders:read"] });

  it("subscribes only to what it may read", async () => {
    const { key } = await ofOrders();
    expect((await create({ types: ["order.*", "refund.created"] }, key)).status).toBe(201);
    for (const types of [["product.updated"], ["user.*"], ["order.paid", "package.granted"]]) {
      expect((await create({ types }, key)).body).toMatchObject({ code: "insufficient_scope" });
    }
    for (const types of [["*"], ["api_key.created"]]) expect((await create({ types }, key)).status).toBe(403);
    expect((await create({ types: ["*"] })).body.code).toBe("administrators_only");
  });

  it("cannot redirect events that others subscribed to", async () => {
    const { key } = await ofOrders();
    const webhook = await aWebhook({ types: ["product.*"] });
    const answer = await call(`PUT ${webhook.path}`, { as: key, body: { url: "https://elsewhere.example/" } });
    expect([answer.status, answer.body.code]).toEqual([404, "not_found"]);
  });

  it("receives no events about staff accounts, and an administrator does", async () => {
    const [byKey, byAdministrator] = [await aWebhook({ types: ["user.*"] }), await aWebhook({ types: ["*"] })];
    await aUser({ role: "viewer" });
    const customer = await call("POST /auth/signup", {
      body: { email: "buyer@webhooks.test", name: "Buyer", password: "correct horse battery" },
    });
    expect(customer.status).toBe(201);
    await Promise.all([deliver(byKey), deliver(byAdministrator)]);
    const created = (requests: { event: { type: string; data: { role: string } } }[]) =>
      requests.flatMap(({ event }) => (event.type === "user.created" ? [event.data.role] : []));
    expect(created(await byKey.received())).toEqual(["customer"]);
    expect(created(await byAdministrator.received())).toEqual(["viewer", "customer"]);
  });
});

describe("a rotated secret", () => {
  const rotate = async ({ path }: { path: string }, body: object) =>
    (await call(`POST ${path}/rotate`, { as: await asKey(), body })).body.data;

  it("signs together with the previous one during the grace period, each verified by the Standard Webhooks library", async () => {
    const webhook = await aWebhook();
    const { secret, previous_secret_expires_at } = await rotate(webhook, { grace_seconds: 3600 });
    expect(Date.parse(previous_secret_expires_at)).toBeGreaterThan(Date.now());
    await publish(1);
    await deliver(webhook);
    const [request] = await webhook.received();
    expect(request?.headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    for (const known of [secret, webhook.secret]) expect(request && isVerified(known, request)).toBe(true);

    const third = await rotate(webhook, { grace_seconds: 3600 });
    await publish(1);
    await deliver(webhook);
    const [, later] = await webhook.received();
    for (const known of [third.secret, secret]) expect(later && isVerified(known, later)).toBe(true);
    expect(later && isVerified(webhook.secret, later)).toBe(false);
  });

  it("signs alone without a grace period, and after it", async () => {
    const webhook = await aWebhook();
    const { secret } = await rotate(webhook, { grace_seconds: 0 });
    const again = await rotate(webhook, { grace_seconds: 3600 });
    await env.DB.prepare("UPDATE webhook_endpoints SET previous_expires_at = ? WHERE id = ?")
      .bind(Date.now() - 1, webhook.id)
      .run();
    await publish(1);
    await deliver(webhook);
    const [request] = await webhook.received();
    expect(request?.headers["webhook-signature"]?.split(" ")).toHaveLength(1);
    expect([secret, webhook.secret].map((known) => request && isVerified(known, request))).toEqual([false, false]);
    expect(request && isVerified(again.secret, request)).toBe(true);
  });

  it("is encrypted under the deployment's newest secret by the schedule", async () => {
    const webhook = await aWebhook();
    const { linkSecrets } = readSettings(env);
    const secrets = [`newer ${linkSecrets[0]}`, ...linkSecrets] as const;
    await resealWebhookSecrets(db, secrets, Date.now());
    const stored = () =>
      env.DB.prepare("SELECT sealed_under FROM webhook_endpoints WHERE id = ?").bind(webhook.id).first("sealed_under");
    expect(await stored()).toBe(newestSecret(secrets));
    await resealWebhookSecrets(db, [linkSecrets[0], secrets[0]], Date.now());
    expect(await stored()).toBe(newestSecret(linkSecrets));
    await publish(1);
    await deliver(webhook);
    const [request] = await webhook.received();
    expect(request && isVerified(webhook.secret, request)).toBe(true);
  });
});

it("sends a test only to the requested endpoint", async () => {
  const [webhook, other] = [await aWebhook({ types: [] }), await aWebhook({ types: ["*"] })];
  const { status, body } = await webhook.sendTest();
  expect(status).toBe(200);
  await Promise.all([deliver(webhook), deliver(other)]);
  expect(await webhook.received()).toMatchObject([
    { id: body.data.webhook_id, event: { type: "webhook.test", data: { webhook_id: webhook.id } } },
  ]);
  expect((await other.received()).filter(({ event }) => event.type === "webhook.test")).toEqual([]);
});

it("does nothing for a disabled endpoint, and says so", async () => {
  const webhook = await aWebhook({ enabled: false });
  const as = await asKey();
  const span = { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" };
  for (const [what, body] of [
    ["test", {}],
    ["deliveries/1/retry", {}],
    ["replay", span],
  ] as const) {
    expect((await call(`POST ${webhook.path}/${what}`, { as, body })).body.code).toBe("webhook_disabled");
  }
  await publish(1);
  await deliver(webhook);
  expect(await deliveriesOf(webhook)).toEqual([]);
  await call(`PUT ${webhook.path}`, { as, body: { enabled: true } });
  await deliver(webhook);
  expect(await webhook.received()).toHaveLength(1);
});

describe("while the object cannot be reached", () => {
  const broken = {
    WEBHOOK_ENDPOINT: {
      getByName: () => {
        throw new Error("out of reach");
      },
    } as unknown as Env["WEBHOOK_ENDPOINT"],
  };

  it("writes succeed, and its own data is 503", async () => {
    const as = await asKey();
    const { body } = await callWith(broken, "POST /admin/webhooks", { as, body: { url: URL, types: [] } });
    const path = `/admin/webhooks/${body.data.id}`;
    expect((await callWith(broken, `PUT ${path}`, { as, body: { description: "Later" } })).status).toBe(200);
    expect((await callWith(broken, `POST ${path}/test`, { as, body: {} })).status).toBe(200);
    for (const [line, sent] of [
      [`GET ${path}/deliveries`, {}],
      [`POST ${path}/deliveries/1/retry`, { body: {} }],
      [`POST ${path}/replay`, { body: { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" } }],
    ] as const) {
      expect((await callWith(broken, line, { as, ...sent })).status, line).toBe(503);
    }
  });
});
