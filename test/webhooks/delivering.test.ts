import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { verifyWebhook } from "../../src/client/index.ts";
import { forget, script } from "../payments/support/stand-in.ts";
import { call } from "../support/call.ts";
import { asAdministrator } from "../support/settings.ts";
import { aProduct } from "../support/shop.ts";
import { asKey, aWebhook, deliver, deliveriesOf, type Endpoint, isVerified, publish } from "./support.ts";

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

afterEach(() => {
  vi.useRealTimers();
});

/** Advances the clock. Nothing in these tests waits for it. */
function later(ms: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
}

/** Sets the receiver's response to its next requests. */
const answers = ({ name }: Endpoint, status: number, more: Partial<Parameters<typeof script>[0]> = {}) =>
  script({ line: `POST /receive/${name}`, about: "", status, ...more });

const answersAgain = (webhook: Endpoint) => forget(`POST /receive/${webhook.name}`);

const endpointOf = async ({ path }: Endpoint) => (await call(`GET ${path}`, { as: await asKey() })).body.data;

const idsOf = (events: number[]) => events.map((id) => `evt_${id}`);
const arrivedAt = async (webhook: Endpoint) => (await webhook.received()).map(({ id }) => id);

it("delivers an event with its id, signed as specified", async () => {
  const webhook = await aWebhook();
  const [id] = await publish(7);
  await deliver(webhook);
  const [request, ...others] = await webhook.received();
  expect(others).toEqual([]);
  expect(request).toMatchObject({ id: `evt_${id}`, event: { type: "product.updated", data: { product_id: 7 } } });
  expect(Object.keys(request?.event)).toEqual(["type", "timestamp", "data"]);
  expect(request && isVerified(webhook.secret, request)).toBe(true);
  expect(request && (await verifyWebhook(request.body, request.headers, webhook.secret))).toMatchObject({
    id: `evt_${id}`,
  });
  expect(await deliveriesOf(webhook)).toMatchObject([
    {
      event_id: id,
      webhook_id: `evt_${id}`,
      state: "succeeded",
      next_attempt_at: null,
      attempts: [{ status: 200, error: null, answer: '{"received":true}' }],
    },
  ]);
});

it("learns of a write by itself, without the schedule", async () => {
  const webhook = await aWebhook();
  const { id } = await aProduct();
  await call(`PUT /admin/products/${id}`, { as: await asAdministrator(), body: { name: "Renamed" } });
  await vi.waitFor(async () => {
    const events = (await webhook.received()).map(({ event }) => event);
    expect(events).toContainEqual(
      expect.objectContaining({ type: "product.updated", data: expect.objectContaining({ name: "Renamed" }) }),
    );
  });
});

it("delivers its subscribed types from its creation on, and nothing else", async () => {
  await publish(1);
  const all = await aWebhook({ types: ["*"] });
  const orders = await aWebhook({ types: ["order.*", "product.created"] });
  const [id] = await publish(2);
  await Promise.all([deliver(all), deliver(orders)]);
  expect(await arrivedAt(all)).toContain(`evt_${id}`);
  expect((await all.received()).map(({ event }) => event.data.product_id)).not.toContain(1);
  expect(await arrivedAt(orders)).toEqual([]);
});

it("repeats the same bytes with the same id until they arrive, on the schedule", async () => {
  const webhook = await aWebhook();
  await answers(webhook, 500, { times: 2 });
  const [id] = await publish(1);
  await deliver(webhook);
  const [failed] = await deliveriesOf(webhook);
  expect(failed).toMatchObject({ state: "pending", attempts: [{ status: 500, error: "Answered 500", answer: "{}" }] });
  expect(Date.parse(failed.next_attempt_at) - Date.parse(failed.attempts[0].at)).toBeGreaterThanOrEqual(5_000);
  await deliver(webhook);
  expect(await webhook.received()).toHaveLength(1);
  later(10_000);
  await deliver(webhook);
  expect(await webhook.received()).toHaveLength(2);
  later(6 * MINUTE);
  await deliver(webhook);
  const requests = await webhook.received();
  expect(requests.map((request) => request.id)).toEqual(idsOf([Number(id), Number(id), Number(id)]));
  expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
  expect(new Set(requests.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(3);
  expect(await deliveriesOf(webhook)).toMatchObject([{ state: "succeeded", attempts: [{}, {}, { status: 200 }] }]);
});

it("waits as long as Retry-After asks", async () => {
  const webhook = await aWebhook();
  await answers(webhook, 429, { headers: { "Retry-After": "3600" } });
  await publish(1);
  await deliver(webhook);
  const [{ next_attempt_at, attempts }] = await deliveriesOf(webhook);
  expect(Date.parse(next_attempt_at) - Date.parse(attempts[0].at)).toBeGreaterThanOrEqual(HOUR);
  later(59 * MINUTE);
  await deliver(webhook);
  expect(await webhook.received()).toHaveLength(1);
  later(2 * MINUTE);
  await deliver(webhook);
  expect(await webhook.received()).toHaveLength(2);
});

it("follows no redirect", async () => {
  const [webhook, target] = [await aWebhook(), await aWebhook({ types: [] })];
  await answers(webhook, 307, { headers: { Location: target.url } });
  await publish(1);
  await deliver(webhook);
  expect(await target.received()).toEqual([]);
  expect(await deliveriesOf(webhook)).toMatchObject([
    { state: "pending", attempts: [{ status: 307, error: "Answered with a redirect, which is not followed" }] },
  ]);
});

it("stores the first 2 KB of a response, and reads no more", async () => {
  const webhook = await aWebhook();
  await answers(webhook, 200, { body: "x".repeat(1_000_000) });
  await publish(1);
  await deliver(webhook);
  const [{ state, attempts }] = await deliveriesOf(webhook);
  expect(state).toBe("succeeded");
  expect(attempts[0].answer).toBe(`"${"x".repeat(2_047)}`);
});

it("counts any 2xx as delivered, even if the rest of the response cannot be read", async () => {
  const webhook = await aWebhook();
  await answers(webhook, 200, { headers: { "Content-Encoding": "gzip" }, body: "not compressed" });
  await publish(1);
  await deliver(webhook);
  expect(await deliveriesOf(webhook)).toMatchObject([
    { state: "succeeded", attempts: [{ status: 200, error: null, answer: "" }] },
  ]);
});

it("keeps the order of a subject, and a failing subject delays no other", async () => {
  const webhook = await aWebhook();
  await answers(webhook, 500, { about: '\\"product_id\\":1}' });
  const [first, second, third, fourth] = await publish(1, 2, 1, 2);
  await deliver(webhook);
  expect(await arrivedAt(webhook)).toEqual(
    expect.arrayContaining(idsOf([Number(first), Number(second), Number(fourth)])),
  );
  expect(await arrivedAt(webhook)).not.toContain(`evt_${third}`);
  expect(await deliveriesOf(webhook, "?state=pending")).toMatchObject([
    { event_id: third, next_attempt_at: null, attempts: [] },
    { event_id: first, attempts: [{}] },
  ]);
  later(10_000);
  await deliver(webhook);
  const ofFirst = (await webhook.received()).filter(({ event }) => event.data.product_id === 1).map(({ id }) => id);
  expect(ofFirst).toEqual(idsOf([Number(first), Number(first), Number(third)]));
});

it("takes over events while a request hangs, which delays no other subject or endpoint", async () => {
  const [slow, other] = [await aWebhook(), await aWebhook()];
  await answers(slow, 200, { hangs: true });
  await publish(1);
  await slow.object().nudge(slow.id);
  await vi.waitFor(async () => expect(await slow.received()).toHaveLength(1));
  const [later] = await publish(2);
  await Promise.all([slow.object().nudge(slow.id), deliver(other)]);
  expect(await arrivedAt(other)).toContain(`evt_${later}`);
  await vi.waitFor(async () => expect(await arrivedAt(slow)).toContain(`evt_${later}`));
  expect(await deliveriesOf(slow, "?state=pending")).toHaveLength(1);
  await abortAllDurableObjects();
});

describe("an endpoint that is gone", () => {
  it("is paused at once, and administrators are notified", async () => {
    const webhook = await aWebhook();
    await answers(webhook, 410);
    await publish(1);
    await deliver(webhook);
    const as = await asAdministrator();
    expect((await call(`GET ${webhook.path}`, { as })).body.data).toMatchObject({
      enabled: false,
      pause_reason: "gone",
    });
    const entries = (await call(`GET /admin/audit-log?subject=webhook&subject_id=${webhook.id}`, { as })).body.data;
    expect(entries[0]).toMatchObject({
      actor: "system",
      action: "webhook.pause",
      before: { enabled: true, pause_reason: null },
      after: { enabled: false, pause_reason: "gone" },
    });
    const { results } = await env.DB.prepare(
      "SELECT recipient FROM emails WHERE template = 'webhook_paused' AND instr(params, ?)",
    )
      .bind(webhook.url)
      .all();
    expect(results.length).toBeGreaterThan(0);
    await publish(2);
    await deliver(webhook);
    expect(await webhook.received()).toHaveLength(1);
    await call(`PUT ${webhook.path}`, { as, body: { enabled: true } });
    await deliver(webhook);
    expect(await deliveriesOf(webhook, "?state=succeeded")).toHaveLength(2);
  });
});

describe("an outage", () => {
  it("of two days is caught up with at once when it is over", async () => {
    const webhook = await aWebhook();
    await answers(webhook, 503, { times: 40 });
    const events = await publish(1, 2, 1, 3);
    for (let hours = 0; hours < 48; hours += 4) {
      await deliver(webhook);
      later(4 * HOUR);
    }
    const attempts = (await webhook.received()).length;
    expect(attempts).toBeLessThan(30);
    await answersAgain(webhook);
    events.push(...(await publish(2, 4)));
    await deliver(webhook);
    expect(await deliveriesOf(webhook, "?state=pending")).toEqual([]);
    const caughtUp = (await arrivedAt(webhook)).slice(attempts);
    expect(caughtUp.sort()).toEqual(idsOf(events).sort());
  });

  it("of five days pauses the endpoint, which catches up once it is enabled again", async () => {
    const webhook = await aWebhook();
    await answers(webhook, 503, { times: 1_000 });
    const events = await publish(1, 2, 1);
    for (let hours = 0; hours < 5 * 24; hours += 4) {
      expect((await endpointOf(webhook)).enabled).toBe(true);
      await deliver(webhook);
      later(4 * HOUR);
    }
    later(DAY);
    await deliver(webhook);
    expect(await endpointOf(webhook)).toMatchObject({ enabled: false, pause_reason: "failing" });
    expect(await deliveriesOf(webhook, "?state=failed")).toEqual([]);
    const requests = (await webhook.received()).length;
    events.push(...(await publish(3, 2)));
    await deliver(webhook);
    expect(await webhook.received()).toHaveLength(requests);

    await answersAgain(webhook);
    await call(`PUT ${webhook.path}`, { as: await asKey(), body: { enabled: true } });
    await deliver(webhook);
    expect((await arrivedAt(webhook)).slice(requests).sort()).toEqual(idsOf(events).sort());
    expect(await endpointOf(webhook)).toMatchObject({ enabled: true, pause_reason: null });
  });
});

describe("work interrupted by a crash", () => {
  it("is repeated: an aborted object loses nothing", async () => {
    const webhook = await aWebhook();
    await answers(webhook, 500, { times: 1 });
    const events = await publish(1);
    await deliver(webhook);
    await abortAllDurableObjects();
    events.push(...(await publish(1, 2)));
    await webhook.object().nudge(webhook.id);
    await abortAllDurableObjects();
    later(DAY);
    await deliver(webhook);
    expect(new Set(await arrivedAt(webhook))).toEqual(new Set(idsOf(events)));
    expect(await deliveriesOf(webhook, "?state=pending")).toEqual([]);
  });

  it("is repeated if a response arrived but was not stored", async () => {
    const webhook = await aWebhook();
    await answers(webhook, 200, { hangs: true });
    const [id] = await publish(1);
    await webhook.object().nudge(webhook.id);
    await vi.waitFor(async () => expect(await webhook.received()).toHaveLength(1));
    await abortAllDurableObjects();
    await deliver(webhook);
    expect(await arrivedAt(webhook)).toEqual(idsOf([Number(id), Number(id)]));
    expect(await deliveriesOf(webhook)).toMatchObject([{ state: "succeeded" }]);
  });
});

it("leaves nothing of a deleted endpoint", async () => {
  const webhook = await aWebhook();
  await publish(1);
  await deliver(webhook);
  await call(`DELETE ${webhook.path}`, { as: await asAdministrator() });
  await runInDurableObject(webhook.object(), (endpoint) => endpoint.alarm());
  const left = await runInDurableObject(webhook.object(), async (_, { storage }) => [
    storage.sql.exec("SELECT name FROM sqlite_master WHERE name IN ('deliveries', 'attempts')").toArray(),
    await storage.getAlarm(),
  ]);
  expect(left).toEqual([[], null]);
});
