import { inArray, sql } from "drizzle-orm";
import { afterEach, expect, it, vi } from "vitest";
import { users } from "../../src/platform/db/schema.ts";
import { call } from "../support/call.ts";
import { aMailbox, scheduledAt } from "../support/emails.ts";
import { aUser, db } from "../support/shop.ts";

afterEach(() => {
  vi.useRealTimers();
});

it("gives every queue its further rounds, however long a task before it took", async () => {
  const due = await Promise.all(Array.from({ length: 6 }, () => aUser({ eraseAt: 1 })));
  const { email } = await aUser();
  await call("POST /auth/forgot-password", { body: { email } });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 1_000 });
  const slow = aMailbox(() => void vi.setSystemTime(Date.now() + 25_000));
  await scheduledAt(Date.now(), slow);
  expect(slow.delivered).toHaveLength(1);
  const ids = due.map(({ id }) => id);
  expect(await db.$count(users, sql`${inArray(users.id, ids)} AND ${users.erasedAt} IS NOT NULL`)).toBe(6);
});
