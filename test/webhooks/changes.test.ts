import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import deploy from "../../docs/deploy.md?raw";
import { script } from "../payments/support/stand-in.ts";
import { call } from "../support/call.ts";
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
