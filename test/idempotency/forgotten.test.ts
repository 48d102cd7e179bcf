import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { connect } from "../../src/platform/db/client.ts";
import { deleteOldKeys, KEY_LIFETIME_MS } from "../../src/platform/idempotency/claims.ts";
import { counted } from "../support/counting.ts";

const now = Date.now();

/** Adds this many keys, all used at one time. */
const add = (caller: string, count: number, createdAt: number) =>
  env.DB.prepare(
    "INSERT INTO idempotency_keys (caller, key, fingerprint, answer, created_at) SELECT ?, value, '', '{}', ? FROM json_each(?)",
  )
    .bind(caller, createdAt, JSON.stringify(Array.from({ length: count }, (_, n) => n)))
    .run();

const left = async () =>
  (await env.DB.prepare("SELECT caller, count(*) AS keys FROM idempotency_keys GROUP BY caller ORDER BY caller").all())
    .results;

it("deletes the previous day's keys, and ignores those still stored", async () => {
  await add("before", 20, now - KEY_LIFETIME_MS);
  await add("since", 500, now - KEY_LIFETIME_MS + 1);
  const { bindings, work } = counted();
  await deleteOldKeys(connect(bindings.DB), now);
  expect(await left()).toEqual([{ caller: "since", keys: 500 }]);
  expect(work.rowsRead).toBeLessThan(150);
  await deleteOldKeys(connect(env.DB), now + 1);
  expect(await left()).toEqual([]);
});
