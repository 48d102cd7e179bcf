import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import {
  AddressLimiter,
  ApiKeyHome,
  ApiKeyLimiter,
  LoginThrottle,
  UserLimiter,
  WebhookEndpoint,
} from "../../src/index.ts";
import { recordAttempt } from "../../src/integrations/webhooks/delivery/record-attempt.ts";
import { DeliveryStore, ObjectSql } from "../../src/integrations/webhooks/delivery/store.ts";
import type { ReservedState } from "../../src/platform/rate-limit/reserved-window.ts";
import type { StoredRegion } from "../../src/platform/rate-limit/shares/region-limiter.ts";
import { call } from "../support/call.ts";
import { limiterOf, settle } from "../support/limiters.ts";
import { aKey, aUser } from "../support/shop.ts";
import released from "./objects-1.0.0.json";

// During a deployment and after a rollback, objects of one version read what another version stored, and the other
// version's code calls them. `objects-1.0.0.json` has the stored data of 1.0.0 and the methods it calls: a key with 37
// requests in one region and 20 in another, a user with 30, five failed logins, and an endpoint with three deliveries.

const { at: AT } = released;

afterEach(() => {
  vi.useRealTimers();
});

const setClock = (now: number) => vi.useFakeTimers({ toFake: ["Date"], now });

/** Gives an object the data that 1.0.0 stored, as if its version had just changed. */
async function handOver(object: DurableObjectStub, stored: Record<string, unknown>): Promise<void> {
  await runInDurableObject(object, (_, { storage }) => storage.put(stored));
  await evictDurableObject(object);
}

/** Expects that the object stores the actual usage in its next alarm. */
async function stored<State>(object: DurableObjectStub, isStored: (state: State) => boolean): Promise<void> {
  await settle(object);
  expect(isStored((await storedBy(object)) as State)).toBe(true);
}

const isSettled = ({ reserved }: ReservedState) => reserved === 0;

const storedBy = (object: DurableObjectStub) =>
  runInDurableObject(object, async (_, { storage }) => Object.fromEntries(await storage.list()));

/** The shape of a value: field names and types, and for a list the distinct shapes of its elements. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    const shapes = value.map((item) => JSON.stringify(shapeOf(item)));
    return [...new Set(shapes)].sort();
  }
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, shapeOf(child)]));
}

const europe = { continent: "EU", country: "PT" };
const oceania = { continent: "OC", country: "AU" };

const admitted = async (as: string, count: number, ...places: object[]) => {
  const send = (index: number) => call("GET /nothing", { as, cf: places[index % places.length] ?? {} });
  const answers = await Promise.all(Array.from({ length: count }, (_, index) => send(index)));
  return answers.filter(({ status }) => status === 404).length;
};

it("leaves a key exactly the rest of its limit, in all regions together", async () => {
  setClock(AT + 5_000);
  const { key, start } = await aKey();
  const home = env.API_KEY_HOME.getByName(start);
  const [near, far] = [limiterOf(start, "weur"), limiterOf(start, "oc")];
  await handOver(home, released.home);
  await handOver(near, released.regions.weur);
  await handOver(far, released.regions.oc);
  expect(await admitted(key, 60, europe, oceania)).toBe(43);
  await stored<{ region: StoredRegion }>(near, ({ region }) => isSettled(region.share.window));
  expect(shapeOf(await storedBy(home))).toEqual(shapeOf(released.home));
  expect(shapeOf(await storedBy(near))).toEqual(shapeOf(released.regions.weur));
});

it("leaves a user exactly the rest of the limit", async () => {
  setClock(AT + 5_000);
  const { token, id } = await aUser();
  const object = env.USER_LIMITER.getByName(String(id));
  await handOver(object, released.user);
  expect(await admitted(token, 90)).toBe(70);
  await stored<{ all: ReservedState }>(object, ({ all }) => isSettled(all));
  expect(shapeOf(await storedBy(object))).toEqual(shapeOf(released.user));
});

it("delays the sixth login, and remembers where somebody signed in", async () => {
  setClock(AT + 5_000);
  const throttle = env.LOGIN_THROTTLE.getByName(crypto.randomUUID());
  await handOver(throttle, released.throttle);
  expect(await throttle.take(null)).toEqual({ waitMs: 25_000, isKnown: false });
  expect(await throttle.take("192.0.2.1")).toEqual({ waitMs: 0, isKnown: true });
  expect(shapeOf(await storedBy(throttle))).toEqual(shapeOf(released.throttle));
});

it("delivers pending events in order, in tables that 1.0.0 can still write", async () => {
  const { tables, rows } = released.endpoint;
  await runInDurableObject(env.WEBHOOK_ENDPOINT.getByName(crypto.randomUUID()), (_, { storage }) => {
    const sql = new ObjectSql(storage);
    for (const table of tables) sql.run(table);
    for (const [table, values] of Object.entries(rows)) for (const row of values) insert(sql, table, row);
    const store = new DeliveryStore(sql);
    store.open(1);
    store.add([{ eventId: 4, type: "product.updated", subject: "product:3", body: "{}" }], 4, AT);
    const made = { at: AT, durationMs: 1, status: 200, error: null, answer: "", retryAfter: null };
    const sent: number[] = [];
    for (let [due] = store.due(AT + 60_000, 1); due; [due] = store.due(AT + 60_000, 1)) {
      sent.push(due.event_id);
      recordAttempt(store, due.id, { ...made, at: AT + 60_000 }, AT + 60_000, 0);
    }
    expect(sent).toEqual([3, 4, 1, 2]);
    // After a rollback 1.0.0 may write again, without the columns that were added later.
    for (const [table, values] of Object.entries(rows)) {
      sql.run(`DELETE FROM ${table}`);
      for (const row of values) insert(sql, table, row);
    }
  });
});

type Report = { id: string; previous: string | null; granted: number; given: number; used: number; freesInMs: number };
type Grant = { id: string; granted: number; retryMs: number };
type Recall = { id: string; granted: number; most: number; part: "half" | "all" };
type Login = (origin: string | null) => Promise<void>;

/**
 * Calls that 1.0.0 makes between objects, which may run a later version. If one of them would fail, this no longer
 * compiles.
 */
type Called = {
  ApiKeyHome: {
    ask: (region: string, ask: Report & { limit: number; waiting: number }) => Promise<Grant>;
    giveBack: (region: string, report: Report) => void;
  };
  ApiKeyLimiter: {
    admit: (hash: string, address: string | undefined, origin: string | undefined) => Promise<string>;
    recall: (recall: Recall) => Report;
  };
  AddressLimiter: { giveBack: (policy: "anonymous", subnet: string | null, many: number) => void };
  LoginThrottle: {
    take: (origin: string | null) => Promise<{ waitMs: number; isKnown: boolean }>;
    succeed: Login;
    reset: Login;
  };
  UserLimiter: { forget: () => void };
  WebhookEndpoint: {
    nudge: (endpointId: number) => Promise<void>;
    health: () => Promise<{ failingSince: number | null; lastError: string | null; pending: number }>;
  };
};

const classes: { [Name in keyof Called]: { prototype: Called[Name] } } = {
  ApiKeyHome,
  ApiKeyLimiter,
  AddressLimiter,
  LoginThrottle,
  UserLimiter,
  WebhookEndpoint,
};

it("still has every method that 1.0.0 calls", () => {
  for (const [name, methods] of Object.entries(released.methods)) {
    const { prototype } = classes[name as keyof Called];
    for (const method of methods) expect(prototype, `${name}.${method}`).toHaveProperty(method);
  }
});

function insert(sql: ObjectSql, table: string, row: Record<string, string | number | null>): void {
  const names = Object.keys(row);
  sql.run(`INSERT INTO ${table} (${names}) VALUES (${names.map(() => "?")})`, ...Object.values(row));
}
