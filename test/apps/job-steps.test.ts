import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { afterEach, expect, it, vi } from "vitest";
import { runSlices } from "../../src/apps/job-steps.ts";
import { users } from "../../src/platform/db/schema.ts";
import { call } from "../support/call.ts";
import { aUser, db } from "../support/shop.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** A bulk action that needs several slices. */
async function aLongJob(): Promise<number> {
  const { token: as, id } = await aUser({ role: "admin" });
  const one = await db.select().from(users).where(sql`id = ${id}`).get();
  if (!one) throw new Error("There is no user");
  const { id: _, ...columns } = one;
  const added = await db.batch([
    db
      .insert(users)
      .values({ ...columns, role: "customer", email: `${crypto.randomUUID()}@shop.test` })
      .returning({ id: users.id }),
    ...Array.from({ length: 110 }, () =>
      db
        .insert(users)
        .values({ ...columns, role: "customer", email: `${crypto.randomUUID()}@shop.test` })
        .returning({ id: users.id }),
    ),
  ]);
  const ids = added.flatMap((rows) => rows.map((row) => row.id));
  const answer = await call("POST /admin/users/bulk-actions", { as, body: { ids, change: { add_tags: ["VIP"] } } });
  if (answer.status >= 400) throw new Error(JSON.stringify(answer.body));
  return answer.body.data.id;
}

it.each([
  ["on a developer's machine, whose runtime needs it to let requests in", "true", true],
  ["not in production, where it would only cost time", "false", false],
])("pauses between slices %s", async (_, DEVELOPMENT, pauses) => {
  const waited = vi.spyOn(scheduler, "wait");
  const id = await aLongJob();
  expect(await runSlices({ ...env, DEVELOPMENT }, id, { slices: 1, ms: 60_000 })).toBe(true);
  // Objects of the isolate wait, too, but for seconds.
  expect(waited.mock.calls.some(([ms]) => ms < 100)).toBe(pauses);
});
