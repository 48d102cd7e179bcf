import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { script } from "../payments/support/stand-in.ts";
import { call, callWith } from "../support/call.ts";
import { asKey, aWebhook, deliver, deliveriesOf, type Endpoint, publish } from "./support.ts";

// Time advances with ids, also from one test to the next.
let clock = Date.now();
const moveTo = (now: number) => vi.useFakeTimers({ toFake: ["Date"], now });

beforeEach(() => {
  moveTo(clock);
});

afterEach(() => {
  clock = Date.now() + 60_000;
  vi.useRealTimers();
});

const arrivedAt = async (webhook: Endpoint) => (await webhook.received()).map(({ id }) => id);

type Sent = { as?: string; headers?: Record<string, string> };

const ask = async ({ path }: Endpoint, what: string, body: object = {}, sent: Sent = {}) =>
  call(`POST ${path}/${what}`, { as: await asKey(), body, ...sent });

/** A caller and an idempotency key, to send a request twice. */
const toRepeat = async () => ({ as: await asKey(), headers: { "Idempotency-Key": crypto.randomUUID() } });

describe("a delivery that is retried", () => {
  it("is sent at once, ahead of its time", async () => {
    const webhook = await aWebhook();
    await script({ line: `POST /receive/${webhook.name}`, about: "", status: 500 });
    const [id] = await publish(1);
    await deliver(webhook);
    const [{ id: delivery }] = await deliveriesOf(webhook);
    expect((await ask(webhook, `deliveries/${delivery}/retry`)).status).toBe(204);
    await deliver(webhook);
    expect(await arrivedAt(webhook)).toEqual([`evt_${id}`, `evt_${id}`]);
    expect(await deliveriesOf(webhook)).toMatchObject([
      { state: "succeeded", attempts: [{ status: 500 }, { status: 200 }] },
    ]);
  });

  it("is sent once more if it had arrived, and once for a repeated request", async () => {
    const webhook = await aWebhook();
    const [id] = await publish(1);
    await deliver(webhook);
    const [{ id: delivery }] = await deliveriesOf(webhook);
    const sent = await toRepeat();
    for (const _ of [1, 2]) {
      expect((await ask(webhook, `deliveries/${delivery}/retry`, {}, sent)).status).toBe(204);
      await deliver(webhook);
    }
    expect(await arrivedAt(webhook)).toEqual([`evt_${id}`, `evt_${id}`]);
    const { results } = await env.DB.prepare(
      "SELECT * FROM audit_log WHERE action = 'webhook.retry' AND subject_id = ?",
    )
      .bind(webhook.id)
      .all();
    expect(results).toHaveLength(1);
  });

  it("waits behind earlier ones of its subject", async () => {
    const webhook = await aWebhook();
    const [first] = await publish(1);
    await deliver(webhook);
    await script({ line: `POST /receive/${webhook.name}`, about: "", status: 500 });
    const [second, third] = await publish(1, 1);
    await deliver(webhook);
    const [waits, , settled] = await deliveriesOf(webhook);
    expect((await ask(webhook, `deliveries/${waits.id}/retry`)).body.code).toBe("delivery_waits");
    expect((await ask(webhook, `deliveries/${settled.id}/retry`)).status).toBe(204);
    await deliver(webhook);
    expect(await webhook.received()).toHaveLength(2);
    moveTo(Date.now() + 10_000);
    await deliver(webhook);
    expect((await arrivedAt(webhook)).slice(2)).toEqual([second, third, first].map((id) => `evt_${id}`));
  });

  it("is 404 if there is none", async () => {
    const webhook = await aWebhook();
    expect((await ask(webhook, "deliveries/999/retry")).status).toBe(404);
  });
});

describe("a replay", () => {
  const MINUTE = 60_000;

  /**
   * Writes events at these minutes after the first. Delivers each before time advances, because a pending delivery would
   * be sent again.
   */
  async function eventsAt(minutes: number[], webhook?: Endpoint) {
    const start = Date.now();
    const ids: string[] = [];
    for (const minute of minutes) {
      moveTo(start + minute * MINUTE);
      ids.push(...(await publish(minute)).map((id) => `evt_${id}`));
      if (webhook) await deliver(webhook);
    }
    const at = (minute: number) => new Date(start + minute * MINUTE - 1000).toISOString();
    return { ids, at };
  }

  it("sends the events of its time span once more, with their ids, and once for a repeated request", async () => {
    const webhook = await aWebhook();
    const { ids, at } = await eventsAt([0, 20, 40, 60, 80], webhook);
    const sent = await toRepeat();
    for (const _ of [1, 2]) {
      expect((await ask(webhook, "replay", { from: at(20), to: at(60) }, sent)).status).toBe(204);
      await deliver(webhook);
    }
    expect((await arrivedAt(webhook)).slice(0, 5).sort()).toEqual([...ids].sort());
    expect((await arrivedAt(webhook)).slice(5).sort()).toEqual([ids[1], ids[2]].sort());
  });

  it("sends the events of a day until its end", async () => {
    moveTo(Date.now() + 24 * 60 * MINUTE);
    const webhook = await aWebhook();
    const { ids } = await eventsAt([0], webhook);
    const day = new Date().toISOString().slice(0, 10);
    expect((await ask(webhook, "replay", { from: day, to: day })).status).toBe(204);
    await deliver(webhook);
    expect(await arrivedAt(webhook)).toEqual([...ids, ...ids]);
  });

  it("starts again with a key that was used more than a day ago", async () => {
    const webhook = await aWebhook();
    const { ids, at } = await eventsAt([0], webhook);
    const sent = await toRepeat();
    for (const _ of [1, 2]) {
      await ask(webhook, "replay", { from: at(0), to: at(1) }, sent);
      await deliver(webhook);
      moveTo(Date.now() + 25 * 60 * MINUTE);
    }
    expect(await arrivedAt(webhook)).toEqual([...ids, ...ids, ...ids]);
  });

  it("includes events from before the endpoint was created, of the requested and subscribed types", async () => {
    const { ids, at } = await eventsAt([0, 20]);
    await env.DB.prepare(
      "INSERT INTO events (type, subject, created_at, data) VALUES ('order.paid', 'order:1', ?, '{}')",
    )
      .bind(Date.now())
      .run();
    const webhook = await aWebhook({ types: ["product.*"] });
    await ask(webhook, "replay", { from: at(0), to: at(21), types: ["product.created"] });
    await deliver(webhook);
    expect(await webhook.received()).toEqual([]);
    await ask(webhook, "replay", { from: at(0), to: at(21), types: ["product.updated", "order.paid"] });
    await deliver(webhook);
    expect((await arrivedAt(webhook)).toSorted()).toEqual(ids.toSorted());
    const audited = await env.DB.prepare(
      "SELECT after ->> 'types' AS types FROM audit_log WHERE action = 'webhook.replay' AND subject_id = ? ORDER BY id DESC",
    )
      .bind(webhook.id)
      .first();
    expect(audited).toEqual({ types: '["product.updated"]' });
  });

  it("starts once, however many are requested at the same instant, and again when all of it was sent", async () => {
    const webhook = await aWebhook();
    const { at } = await eventsAt([0, 1], webhook);
    const span = { from: at(0), to: at(2) };
    await script({ line: `POST /receive/${webhook.name}`, about: "", status: 500 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(webhook, "replay", span)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    const [refused] = answers.filter(({ status }) => status === 409);
    expect([answers.length, refused?.body.code]).toEqual([20, "replay_pending"]);
    await deliver(webhook);
    // One delivery failed and waits for its next attempt.
    expect((await ask(webhook, "replay", span)).body.code).toBe("replay_pending");
    moveTo(Date.now() + 60 * MINUTE);
    await deliver(webhook);
    expect(await webhook.received()).toHaveLength(2 + 2 + 1);
    expect((await ask(webhook, "replay", span)).status).toBe(204);
  });

  it("reads a long time span in steps", async () => {
    const webhook = await aWebhook();
    const many = Array.from({ length: 1_200 }, (_, index) => index % 7);
    const from = new Date(Date.now() - 1000).toISOString();
    await publish(...many);
    await deliver(webhook);
    await ask(webhook, "replay", { from, to: new Date(Date.now() + 1000).toISOString() });
    await deliver(webhook);
    const arrived = await webhook.received();
    expect([arrived.length, new Set(arrived.map(({ id }) => id)).size]).toEqual([2_400, 1_200]);
    for (const product of [0, 3, 6]) {
      const ofOne = arrived
        .filter(({ event }) => event.data.product_id === product)
        .map(({ id }) => Number(id.slice(4)));
      const half = ofOne.length / 2;
      expect(ofOne.slice(0, half)).toEqual(ofOne.slice(0, half).toSorted((a, b) => a - b));
      expect(ofOne.slice(half)).toEqual(ofOne.slice(0, half));
    }
  });

  it.each([
    [{ from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z" }, "to"],
    [{ to: "2026-01-01T00:00:00Z" }, "from"],
    [{ from: "yesterday", to: "2026-01-01T00:00:00Z" }, "from"],
    [{ from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z", types: ["order.payed"] }, "types.0"],
  ])("is refused for %j", async (body, field) => {
    const answer = await ask(await aWebhook(), "replay", body);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, [field]]);
  });
});

it("lists deliveries by page, newest first, and from a cursor on, oldest first", async () => {
  const webhook = await aWebhook();
  const events = await publish(1, 2, 3, 4, 5);
  await deliver(webhook);
  const as = await asKey();
  const page = await call(`GET ${webhook.path}/deliveries?per_page=2&page=2`, { as });
  expect(page.body.data.map((row: { event_id: number }) => row.event_id)).toEqual([events[2], events[1]]);
  expect(page.body.pagination).toEqual({ current_page: 2, total_pages: 3, total_items: 5, total_items_exact: true });
  const cursor = await call(`GET ${webhook.path}/deliveries?per_page=3&after_id=1&state=succeeded`, { as });
  expect(cursor.body.data.map((row: { id: number }) => row.id)).toEqual([2, 3, 4]);
  expect(cursor.headers.get("Link")).toMatch(/after_id=4.*rel="next"/);
  expect((await call(`GET ${webhook.path}/deliveries?after_id=4`, { as })).headers.get("Link")).not.toContain("next");
  expect((await call(`GET ${webhook.path}/deliveries?after_id=1&page=2`, { as })).status).toBe(400);
  expect((await call(`GET ${webhook.path}/deliveries?state=failed`, { as })).body.data).toEqual([]);
});

it("lists the deliveries of an object that runs an earlier version than the Worker", async () => {
  const { path } = await aWebhook();
  const deliveries = async () => ({ rows: [], totalItems: 5, totalIsExact: true });
  const WEBHOOK_ENDPOINT = { getByName: () => ({ deliveries }) } as never;
  const line = `GET ${path}/deliveries?per_page=2&page=2`;
  const { body } = await callWith({ WEBHOOK_ENDPOINT }, line, { as: await asKey() });
  expect(body.pagination).toEqual({ current_page: 2, total_pages: 3, total_items: 5, total_items_exact: true });
});
