import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, it } from "vitest";
import { recordAttempt } from "../../src/integrations/webhooks/delivery/record-attempt.ts";
import type { Attempt } from "../../src/integrations/webhooks/delivery/rows.ts";
import { DeliveryStore, ObjectSql } from "../../src/integrations/webhooks/delivery/store.ts";

const [MINUTE, DAY] = [60_000, 86_400_000];

/** Steps in an endpoint's life: events of subjects, time, and outcomes of the next requests. */
const happening = fc.oneof(
  fc.record({ events: fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 8 }) }),
  fc.record({ minutes: fc.integer({ min: 0, max: 2_000 }) }),
  fc.record({ arrives: fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }) }),
  fc.record({ arrives: fc.array(fc.constant(false), { minLength: 6, maxLength: 6 }) }),
);

type Row = { event_id: number; subject: string; state: string; due_at: number | null };

/** A store, and the events that were sent and received. */
function aWorld(storage: DurableObjectStorage) {
  const sql = new ObjectSql(storage);
  const store = new DeliveryStore(sql);
  store.open(1);
  const settled: Row[] = [];
  const attempts = new Map<number, number>();
  let [now, events] = [Date.parse("2026-11-22T12:00:00Z"), 0];

  const rows = () =>
    sql.rows<Row>("SELECT event_id, subject, delivery_state AS state, due_at FROM deliveries ORDER BY place");

  const add = (subjects: number[]) => {
    const added = subjects.map((subject) => ({
      eventId: ++events,
      type: "product.updated" as const,
      subject: `product:${subject}`,
      body: "{}",
    }));
    store.add(added, events, now);
  };

  /** Simultaneous requests end one after another. */
  const send = (arrives: boolean[]) => {
    for (const [index, { id, event_id }] of store.due(now, arrives.length).entries()) {
      const error = arrives[index] ? null : "Answered 500";
      const made: Attempt = { at: now, durationMs: 1, status: 200, error, answer: "", retryAfter: null };
      attempts.set(event_id, (attempts.get(event_id) ?? 0) + 1);
      recordAttempt(store, id, made, now, 0.5);
      const row = rows().find((each) => each.event_id === event_id && each.state !== "pending");
      if (row) settled.push(row);
    }
  };

  const wait = (minutes: number) => {
    now += minutes * MINUTE;
  };

  return { rows, settled, attempts, add, send, wait, count: () => events };
}

/** Expects each subject's first pending event, and no other, to be due. */
function expectLines(rows: Row[]): void {
  for (const [, line] of Map.groupBy(
    rows.filter(({ state }) => state === "pending"),
    ({ subject }) => subject,
  )) {
    expect(line.map(({ due_at }) => due_at !== null)).toEqual(line.map((_, index) => index === 0));
  }
}

it("settles every event once and in the order of its subject, with any outcomes, and gives up none in an outage", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 40 }), async (happenings) => {
      const object = env.WEBHOOK_ENDPOINT.getByName(crypto.randomUUID());
      await runInDurableObject(object, (_, { storage }) => {
        const world = aWorld(storage);
        const everArrived = () => world.settled.some(({ state }) => state === "succeeded");
        for (const what of happenings) {
          if ("events" in what) world.add(what.events);
          else if ("minutes" in what) world.wait(what.minutes);
          else world.send(what.arrives);
          expectLines(world.rows());
          if (!everArrived()) expect(world.settled).toEqual([]);
        }
        for (let days = 0; world.rows().some(({ state }) => state === "pending") && days < 1_000; days++) {
          world.wait(DAY / MINUTE);
          world.send(Array<boolean>(8).fill(true));
        }
        expect(world.settled).toHaveLength(world.count());
        for (const [, line] of Map.groupBy(world.settled, ({ subject }) => subject)) {
          const ids = line.map(({ event_id }) => event_id);
          expect(ids).toEqual(ids.toSorted((a, b) => a - b));
        }
        for (const { event_id, state } of world.settled) {
          if (state === "failed") expect(world.attempts.get(event_id)).toBeGreaterThanOrEqual(10);
        }
      });
    }),
    { numRuns: 60 },
  );
});
