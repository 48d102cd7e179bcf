import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { script } from "../payments/support/stand-in.ts";
import { call } from "../support/call.ts";
import { aKey } from "../support/shop.ts";
import { asAdministrator, asKey, aWebhook, deliver, deliveriesOf, publish } from "./support.ts";

// What becomes of an endpoint in the hands of somebody who may read less than those who had it before.

const ofProducts = async () => (await aKey({ permissions: ["webhooks:read", "webhooks:write", "products:read"] })).key;

/** Writes an event that the reader of products may not read, and answers with its id. */
const publishOrder = async (): Promise<number> => {
  const event = env.DB.prepare(
    `INSERT INTO events (type, subject, created_at, data) VALUES ('order.paid', 'order:1', ?, '{"order_id":1}') RETURNING id`,
  );
  return (await event.bind(Date.now()).first<{ id: number }>())?.id ?? 0;
};

/** An endpoint that was sent an order, and is to be sent another, which did not arrive. */
async function aWebhookOfOrders() {
  const webhook = await aWebhook({ types: ["product.*", "order.*"] });
  const arrived = await publishOrder();
  await deliver(webhook);
  await script({ line: `POST /receive/${webhook.name}`, about: "", status: 500 });
  const waits = await publishOrder();
  await deliver(webhook);
  return { webhook, arrived, waits };
}

it("is theirs to change, or to sign for, only if they may read what it is sent", async () => {
  const [webhook, as] = [await aWebhook({ types: ["product.*", "order.*"] }), await ofProducts()];
  for (const body of [{ types: ["product.*"] }, { types: [], url: "https://elsewhere.example/" }, { enabled: false }]) {
    expect((await call(`PUT ${webhook.path}`, { as, body })).body.details).toMatchObject([
      { permission: "orders:read" },
    ]);
  }
  expect((await call(`POST ${webhook.path}/rotate`, { as, body: {} })).status).toBe(403);
});

it("keeps the address that an administrator gave it, unless another changes that", async () => {
  const [webhook, as, url] = [await aWebhook({ types: ["*"] }), await asAdministrator(), "https://elsewhere.example/"];
  await call(`PUT ${webhook.path}`, { as, body: { types: ["user.*"] } });
  const answer = await call(`PUT ${webhook.path}`, { as: await asKey(), body: { url } });
  expect([answer.status, answer.body.code]).toEqual([403, "administrators_only"]);
  expect((await call(`PUT ${webhook.path}`, { as: await asKey(), body: { description: "Mine" } })).status).toBe(200);
  expect((await call(`PUT ${webhook.path}`, { as, body: { url } })).status).toBe(200);
});

it("leads nothing that waited, or arrived, to an address of theirs", async () => {
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

it("shows them the deliveries of what they may read, and no others", async () => {
  const [{ webhook }, as] = [await aWebhookOfOrders(), await ofProducts()];
  const [product] = await publish(1);
  await deliver(webhook);
  const { data, pagination } = (await call(`GET ${webhook.path}/deliveries`, { as })).body;
  expect([data, pagination.total_items]).toMatchObject([[{ event_id: product }], 1]);
});

it("is sent again only what it is still subscribed to when its turn comes", async () => {
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
