import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { survey } from "../../src/back-office/backups/read-database.ts";
import type { StoredTable } from "../../src/back-office/backups/stored-tables.ts";
import { HOUR_MS } from "../../src/domain/time.ts";
import { paymentSettings } from "../../src/platform/db/schema.ts";
import { type Prepared, scenarios } from "../faults/scenarios.ts";
import { contentOf, databaseNow, newest, passedOf, slice, stageOf } from "../support/backups.ts";
import { call, callWith } from "../support/call.ts";
import { LONG } from "../support/long.ts";
import { noRules } from "../support/pricing.ts";
import { aUser, db } from "../support/shop.ts";

/** A second backup is refused while one is being made. */
const EXCLUDED = "POST /api/v1/admin/backups";

const writes = Object.entries(scenarios).filter(([route]) => !route.startsWith("GET ") && route !== EXCLUDED);

type Write = { route: string; prepare: () => Promise<Prepared>; request: Prepared; moment: number };

let as: string;

beforeAll(async () => {
  as = (await aUser({ role: "admin" })).token;
});

/**
 * The order of the writes, and how much of the walk has passed when each comes. Half of them come at its end, when every
 * table was read. One run is one backup with every write. A double would nearly always be close to 0.
 */
const plan = fc.record({
  order: fc.shuffledSubarray(
    writes.map((_, at) => at),
    { minLength: writes.length, maxLength: writes.length },
  ),
  moments: fc.array(
    fc.oneof(
      fc.constant(1),
      fc.nat(99).map((percent) => percent / 100),
    ),
    {
      minLength: writes.length,
      maxLength: writes.length,
    },
  ),
});

/** Prepares a write in a shop without rules, whatever earlier ones set. */
async function prepared(prepare: () => Promise<Prepared>): Promise<Prepared> {
  await noRules();
  await db.delete(paymentSettings);
  return prepare();
}

const start = async (): Promise<number> => (await call("POST /admin/backups", { as, body: {} })).body.data.id;

async function send({ line, bindings, ...options }: Prepared): Promise<number> {
  return (await callWith({ ...env, ...bindings }, line, options)).status;
}

/** Makes every row an hour old, so that no write is found by the time of what it changes. */
async function age(tables: StoredTable[]): Promise<void> {
  for (const { name, columns } of tables) {
    if (columns.includes("updated_at")) await env.DB.exec(`UPDATE "${name}" SET updated_at = updated_at - ${HOUR_MS}`);
  }
}

it("equals the database at its moment, whichever writes of the API come between its slices", LONG, async () => {
  const statuses: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(plan, async ({ order, moments: planned }) => {
      // What a write changes must exist before the walk, so that it is read twice.
      let waiting: Write[] = [];
      for (const [place, at] of order.entries()) {
        const [route = "", prepare] = writes[at] ?? [];
        const moment = planned[place] ?? 1;
        if (prepare) waiting.push({ route, prepare, request: await prepared(prepare), moment });
      }
      await age((await survey(db)).tables);
      const id = await start();
      await slice(id);
      const moments = new Set<number>();
      let content: Record<string, unknown[]> = {};
      for (let stage = "walk"; stage === "walk"; stage = await stageOf(id)) {
        const passed = await passedOf(id);
        const due = waiting.filter(({ moment }) => moment <= passed);
        waiting = waiting.filter(({ moment }) => moment > passed);
        for (const { route, prepare, request } of due) {
          moments.add(passed);
          const status = await send(request);
          // Its rules were deleted for another write.
          statuses[route] = status < 400 ? status : await send(await prepared(prepare));
        }
        // The backup equals the database as it is before the last slice of the walk.
        if (passed > 0.9) content = await databaseNow((await survey(db)).tables);
        await slice(id);
      }
      // A backup that starts again reads what was written, whether or not it records changes.
      expect(await stageOf(id)).toBe("objects");
      expect(moments.size).toBeGreaterThan(10);
      while (await slice(id));
      const { jobs: _, ...stored } = await contentOf(await newest(as));
      const { jobs: __, ...then } = content;
      expect(Object.keys(stored)).toEqual(Object.keys(then));
      for (const [table, rows] of Object.entries(then)) expect([table, stored[table]]).toEqual([table, rows]);
    }),
    { numRuns: 1, endOnFailure: true },
  );
  expect(Object.keys(statuses)).toHaveLength(writes.length);
  expect(Object.entries(statuses).filter(([, status]) => status >= 400)).toEqual([]);
});
