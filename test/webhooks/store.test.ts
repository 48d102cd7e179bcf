import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { recordAttempt } from "../../src/integrations/webhooks/delivery/record-attempt.ts";
import type { Attempt } from "../../src/integrations/webhooks/delivery/rows.ts";
import { attemptDelivery } from "../../src/integrations/webhooks/delivery/send.ts";
import { DeliveryStore, deleteOld, ObjectSql } from "../../src/integrations/webhooks/delivery/store.ts";
import { newSecret } from "../../src/integrations/webhooks/secrets.ts";
import { script } from "../payments/support/stand-in.ts";

const START = Date.parse("2026-11-22T12:00:00Z");
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

const inStore = (test: (store: DeliveryStore) => void) =>
  runInDurableObject(env.WEBHOOK_ENDPOINT.getByName(crypto.randomUUID()), (_, { storage }) => {
    const store = new DeliveryStore(new ObjectSql(storage));
    store.open(1);
    test(store);
  });

const ofProduct = (product: number, eventId: number) => ({
  eventId,
  type: "product.updated" as const,
  subject: `product:${product}`,
  body: "{}",
});

const made = (at: number, error: string | null): Attempt => ({
  ...{ at, durationMs: 1, status: null, answer: null, retryAfter: null },
  error,
});

/** Sends everything that is due. Events in `broken` fail. Returns the sent events. */
function send(store: DeliveryStore, now: number, broken: number[] = []) {
  return store.due(now, 100).map(({ id, event_id }) => {
    recordAttempt(store, id, made(now, broken.includes(event_id) ? "Answered 500" : null), now, 0);
    return event_id;
  });
}

it("gives up a delivery after ten attempts while others arrive, and continues with the next of its subject", () =>
  inStore((store) => {
    store.add([ofProduct(1, 1), ofProduct(1, 2)], 2, START);
    let [now, attempts] = [START, 0];
    for (let other = 3; store.nextDueAt() !== null; other++) {
      store.add([ofProduct(other, other)], other, now);
      const sent = send(store, now, [1]);
      if (sent.includes(1)) attempts++;
      if (sent.includes(2)) break;
      now = Math.max(now + MINUTE, store.nextDueAt() ?? now);
    }
    expect(attempts).toBe(10);
    expect(now - START).toBeGreaterThan(75 * HOUR);
  }));

it("does not let arriving ones hurry a failing delivery more than once between its attempts", () =>
  inStore((store) => {
    store.add([ofProduct(1, 1)], 1, START);
    const attempts: number[] = [];
    for (let minute = 0; minute < 24 * 60; minute += 6) {
      const now = START + minute * MINUTE;
      store.add([ofProduct(2, 1_000 + minute)], 1_000 + minute, now);
      if (send(store, now, [1]).includes(1)) attempts.push(minute);
    }
    // The schedule has six attempts a day.
    expect(attempts.length).toBeLessThanOrEqual(12);
  }));

it("tolerates an endpoint that fails for less than five days, or that something reaches", () =>
  inStore((store) => {
    store.add([ofProduct(1, 1)], 1, START);
    const [delivery] = store.due(START, 1);
    const fail = (at: number) => recordAttempt(store, delivery?.id ?? 0, made(at, "Answered 500"), at, 0);
    expect(fail(START)).toBe("go on");
    expect(fail(START + 5 * DAY - 1)).toBe("go on");
    store.add([ofProduct(2, 2)], 2, START);
    const other = store.due(START + 9 * DAY, 2).find(({ event_id }) => event_id === 2);
    recordAttempt(store, other?.id ?? 0, made(START + 4 * DAY, null), START + 4 * DAY, 0);
    expect(fail(START + 5 * DAY)).toBe("go on");
    expect(fail(START + 10 * DAY)).toBe("pause");
  }));

it("deletes deliveries older than 30 days, and continues with those waiting behind", () =>
  inStore((store) => {
    store.add([ofProduct(1, 1)], 1, START);
    send(store, START, [1]);
    store.add([ofProduct(1, 2), ofProduct(2, 3)], 3, START + 20 * DAY);
    deleteOld(store, START + 31 * DAY);
    expect(store.due(START + 31 * DAY, 9).map(({ event_id }) => event_id)).toEqual([3, 2]);
    expect(store.sql.rows("SELECT * FROM attempts")).toEqual([]);
    deleteOld(store, START + 51 * DAY);
    expect(store.nextDueAt()).toBeNull();
  }));

it("runs transactions that end completely or not at all", () =>
  inStore((store) => {
    const broken = { ...ofProduct(1, 2), body: null as unknown as string };
    expect(() => store.add([ofProduct(1, 1), broken], 2, START)).toThrow();
    expect(store.state?.cursor).toBeNull();
    expect(store.nextDueAt()).toBeNull();
  }));

it("ends an attempt that takes too long", async () => {
  const name = crypto.randomUUID();
  await script({ line: `POST /receive/${name}`, about: "", status: 200, hangs: true });
  const destination = { url: `${env.STRIPE_API_URL}/receive/${name}`, secrets: [newSecret()] };
  const outcome = await attemptDelivery(destination, { id: 1, event_id: 1, body: "{}" }, async () => null, 50);
  expect(outcome).toMatchObject({ status: null, error: "No answer within 0.05 s", answer: null });
});

it("reports a broken connection without details", async () => {
  const destination = { url: "http://127.0.0.1:1/", secrets: [newSecret()] };
  const outcome = await attemptDelivery(destination, { id: 1, event_id: 1, body: "{}" }, async () => null);
  expect(outcome).toMatchObject({ status: null, error: "The connection failed" });
});
