import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import deploy from "../../docs/deploy.md?raw";
import { script } from "../payments/support/stand-in.ts";
import { call } from "../support/call.ts";
import { asAdministrator } from "../support/settings.ts";
import { aKey } from "../support/shop.ts";
import { asKey, aWebhook, deliver, deliveriesOf, type Endpoint, publish } from "./support.ts";

/** Makes successful deliveries due again, more than the endpoint reads at once. */
const makeManyDue = ({ object }: Endpoint) =>
  runInDurableObject(object(), (_, { storage }) => {
    storage.sql.exec(`
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1200)
      INSERT INTO deliveries (event_id, type, subject, body, place, due_at, created_at)
      SELECT 1000000 + n, 'product.updated', 'product:' || n, '{}', 1000 + n, 1, 1 + unixepoch() * 1000 FROM numbers`);
  });

it("continues after a crash, however much is due", async () => {
  const webhook = await aWebhook();
  await publish(1);
  await deliver(webhook);
  await makeManyDue(webhook);
  await abortAllDurableObjects();
  await deliver(webhook);
  expect(await webhook.received()).toHaveLength(1201);
  expect((await deliveriesOf(webhook, "?state=succeeded&per_page=1")).length).toBe(1);
});

it("stops when it is disabled, however much is due", async () => {
  const webhook = await aWebhook();
  await publish(1);
  await deliver(webhook);
  await makeManyDue(webhook);
  await call(`PUT ${webhook.path}`, { as: await asKey(), body: { enabled: false } });
  await deliver(webhook);
  expect(await webhook.received()).toHaveLength(1);
});

it("sends nothing more to its previous URL", async () => {
  const [webhook, other] = [await aWebhook(), await aWebhook({ types: [] })];
  await script({ line: `POST /receive/${webhook.name}`, about: "", status: 500 });
  await publish(1);
  await deliver(webhook);
  await call(`PUT ${webhook.path}`, { as: await asKey(), body: { url: other.url } });
  await runInDurableObject(webhook.object(), (_, { storage }) => storage.sql.exec("UPDATE deliveries SET due_at = 1"));
  await deliver(webhook);
  expect(await webhook.received()).toHaveLength(1);
  expect(await other.received()).toHaveLength(1);
});

it("receives events after a restore of the database, once its ids continue as documented", async () => {
  const webhook = await aWebhook();
  await publish(1);
  await deliver(webhook);
  await runInDurableObject(webhook.object(), (_, { storage }) =>
    storage.sql.exec("UPDATE state SET cursor = cursor + 5000"),
  );
  const [, statement = ""] = /--command "(INSERT INTO events[\s\S]+?)"\n/.exec(deploy) ?? [];
  await env.DB.prepare(statement.replaceAll('\\"', '"')).run();
  await publish(2);
  await deliver(webhook);
  expect((await webhook.received()).map(({ event }) => event.data.product_id)).toEqual([1, 2]);
});

it("sends nothing more once it is deleted", async () => {
  const webhook = await aWebhook();
  await script({ line: `POST /receive/${webhook.name}`, about: "", status: 500 });
  await publish(1);
  await deliver(webhook);
  await env.DB.prepare("DELETE FROM webhook_endpoints WHERE id = ?").bind(webhook.id).run();
  await runInDurableObject(webhook.object(), (_, { storage }) => storage.sql.exec("UPDATE deliveries SET due_at = 1"));
  await deliver(webhook);
  expect(await webhook.received()).toHaveLength(1);
});

// An endpoint that passes to a user with fewer permissions than its creator.

const ofProducts = async () =>
  (await aKey({ permissions: ["webhooks:read", "webhooks:write", "products:read_all"] })).key;

/** Writes an event that a reader of products may not read, and returns its id. */
const publishOrder = async (): Promise<number> => {
  const event = env.DB.prepare(
    `INSERT INTO events (type, subject, created_at, data) VALUES ('order.paid', 'order:1', ?, '{"order_id":1}') RETURNING id`,
  );
  return (await event.bind(Date.now()).first<{ id: number }>())?.id ?? 0;
};

/** An endpoint that has received one order, and has another pending that did not arrive. */
async function aWebhookOfOrders() {
  const webhook = await aWebhook({ types: ["product.*", "order.*"] });
  const arrived = await publishOrder();
  await deliver(webhook);
  await script({ line: `POST /receive/${webhook.name}`, about: "", status: 500 });
  const waits = await publishOrder();
  await deliver(webhook);
  return { webhook, arrived, waits };
}

/** Every operation on an endpoint. */
const operations = (path: string): [line: string, body?: object][] => [
  [`GET ${path}`],
  [`PUT ${path}`, { url: "https://elsewhere.example/" }],
  [`PUT ${path}`, { types: [] }],
  [`PUT ${path}`, { enabled: false }],
  [`POST ${path}/rotate`, {}],
  [`POST ${path}/test`, {}],
  [`GET ${path}/deliveries`],
  [`POST ${path}/deliveries/1/retry`, {}],
  [`POST ${path}/replay`, { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" }],
  [`DELETE ${path}`],
];

const listedFor = async (as: string): Promise<number[]> =>
  (await call("GET /admin/webhooks?per_page=100", { as })).body.data.map(({ id }: { id: number }) => id);

async function isHiddenFrom(as: string, { id, path }: { id: number; path: string }): Promise<void> {
  for (const [line, body] of operations(path)) {
    expect([line, (await call(line, { as, body })).status]).toEqual([line, 404]);
  }
  expect(await listedFor(as)).not.toContain(id);
  const owner = await asAdministrator();
  expect((await call(`GET ${path}`, { as: owner })).body.data).toMatchObject({ enabled: true });
  expect(await listedFor(owner)).toContain(id);
}

it("is hidden from a key that may not read all of its types, whatever the key requests", async () => {
  await isHiddenFrom(await ofProducts(), await aWebhook({ types: ["product.*", "order.*"] }));
  await isHiddenFrom(await ofProducts(), await aWebhook({ types: ["*"] }));
});

it("is hidden from a key if an administrator created it, even if it gets nothing about staff any more", async () => {
  const webhook = await aWebhook({ types: ["*"] });
  await call(`PUT ${webhook.path}`, { as: await asAdministrator(), body: { types: ["product.*"] } });
  await isHiddenFrom(await asKey(), webhook);
});

it("may be used by a caller who may read all of its types, but gets no further types", async () => {
  const [{ path }, as] = [await aWebhook({ types: ["product.*"] }), await ofProducts()];
  expect((await call(`PUT ${path}`, { as, body: { description: "Mine" } })).status).toBe(200);
  expect((await call(`PUT ${path}`, { as, body: { types: ["order.paid"] } })).body.details).toMatchObject([
    { permission: "orders:read" },
  ]);
  expect((await call(`POST ${path}/rotate`, { as, body: {} })).status).toBe(200);
});

it("sends no pending or past events to a URL of theirs", async () => {
  const [{ webhook, arrived, waits }, mine] = [await aWebhookOfOrders(), await aWebhook({ types: [] })];
  const as = await ofProducts();
  const ids = (await deliveriesOf(webhook)).map(({ id }: { id: number }) => id);
  await call(`PUT ${webhook.path}`, { as: await asKey(), body: { types: ["product.*"] } });
  expect((await call(`PUT ${webhook.path}`, { as, body: { url: mine.url } })).status).toBe(200);
  await runInDurableObject(webhook.object(), (_, { storage }) =>
    storage.sql.exec("UPDATE deliveries SET due_at = 1 WHERE due_at IS NOT NULL"),
  );
  await deliver(webhook);
  expect(await deliveriesOf(webhook)).toMatchObject([
    { event_id: waits, state: "failed", next_attempt_at: null },
    { event_id: arrived, state: "succeeded" },
  ]);
  for (const id of ids) {
    expect((await call(`POST ${webhook.path}/deliveries/${id}/retry`, { as, body: {} })).status).toBe(404);
  }
  const [product] = await publish(1);
  await deliver(webhook);
  expect((await mine.received()).map(({ id }) => id)).toEqual([`evt_${product}`]);
});

it("shows them only deliveries that they may read", async () => {
  const [{ webhook }, as] = [await aWebhookOfOrders(), await ofProducts()];
  await call(`PUT ${webhook.path}`, { as: await asKey(), body: { types: ["product.*"] } });
  const [product] = await publish(1);
  await deliver(webhook);
  const { data, pagination } = (await call(`GET ${webhook.path}/deliveries`, { as })).body;
  expect([data, pagination.total_items]).toMatchObject([[{ event_id: product }], 1]);
});

it("is sent again only if its type is still subscribed when its turn comes", async () => {
  const webhook = await aWebhook({ types: ["product.*"] });
  const from = Date.now() - 1000;
  await publishOrder();
  const [product = 0] = await publish(1);
  await deliver(webhook);
  const replay = { id: "before", types: ["order.paid", "product.updated"], from, to: from + 60_000 };
  await webhook.object().replay(webhook.id, { ...replay, afterId: product - 2, startsAfter: 0 });
  await deliver(webhook);
  expect((await webhook.received()).map(({ id }) => id)).toEqual([`evt_${product}`, `evt_${product}`]);
});
