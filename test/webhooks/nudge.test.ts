import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { expectEndpoints, nudgeForNewEvents } from "../../src/integrations/webhooks/nudge.ts";
import { webhookEndpoints } from "../../src/platform/db/schema.ts";
import { counted } from "../support/counting.ts";
import { db } from "../support/shop.ts";
import { publish } from "./support.ts";

const START = Date.now();

beforeEach(async () => {
  await db.delete(webhookEndpoints);
  expectEndpoints();
});

afterEach(() => {
  vi.useRealTimers();
  expectEndpoints();
});

/** Adds an endpoint directly to the database. A request would make the Worker itself look for events. */
const addEndpoint = () =>
  db.insert(webhookEndpoints).values({
    ...{ key: crypto.randomUUID(), url: "https://receiver.example/webhooks", types: [], enabled: true },
    accountScope: "everybody",
    ...{ sealed: "", sealedUnder: "", startsAfter: 0, createdAt: START, updatedAt: START },
  });

/** Looks for new events once. Returns the round trips to D1 and the number of nudged objects, which do nothing here. */
async function looked() {
  const { bindings, trips } = counted();
  let nudged = 0;
  const object = { nudge: async () => void nudged++ };
  // A namespace with only the method that a nudge uses.
  const namespace = { getByName: () => object } as unknown as Env["WEBHOOK_ENDPOINT"];
  await nudgeForNewEvents({ ...env, ...bindings, WEBHOOK_ENDPOINT: namespace });
  return { d1: trips.d1, nudged };
}

it("reads once in ten seconds while there is no webhook, however much is written", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: START });
  expect(await looked()).toEqual({ d1: 1, nudged: 0 });
  vi.setSystemTime(START + 9_999);
  expect(await looked()).toEqual({ d1: 0, nudged: 0 });
  vi.setSystemTime(START + 10_000);
  expect(await looked()).toEqual({ d1: 1, nudged: 0 });
});

it("reads once and nudges each webhook, except those that know the newest event", async () => {
  await addEndpoint();
  await addEndpoint();
  await publish(1);
  expect(await looked()).toEqual({ d1: 1, nudged: 2 });
  expect(await looked()).toEqual({ d1: 1, nudged: 0 });
  await publish(1);
  expect(await looked()).toEqual({ d1: 1, nudged: 2 });
});
