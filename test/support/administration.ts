import { desc, eq } from "drizzle-orm";
import { beforeEach } from "vitest";
import { auditLog } from "../../src/platform/db/schema.ts";
import { call } from "./call.ts";
import { shared } from "./callers.ts";
import { aUser, db } from "./shop.ts";

/** An administrator that the tests of a file share. */
export const anAdmin = shared(() => aUser({ role: "admin" }));

/** An administrator who stays the same during a test, and requests by that administrator. Called once by a test file. */
export function administration() {
  const admin = { id: 0, token: "" };
  beforeEach(async () => {
    Object.assign(admin, await anAdmin());
  });
  const ask = (line: string, body?: unknown, headers: Record<string, string> = {}) =>
    call(line, { as: admin.token, body, headers });
  return { admin, ask };
}

/** The audit log of a record, newest first. */
export const entriesOf = (id: number) =>
  db.select().from(auditLog).where(eq(auditLog.subjectId, id)).orderBy(desc(auditLog.id)).all();
