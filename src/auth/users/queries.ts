import { and, eq, gt, sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { json } from "../../db/json.ts";
import { sessions, users } from "../../db/schema.ts";
import { refusing } from "../../db/violation.ts";
import { badRequest } from "../../errors.ts";
import { type NewSession, sessionInserts } from "../sessions/queries.ts";
import { ACCESS_TOKEN_MS } from "../tokens.ts";
import type { UserRecord } from "./judge.ts";

export type UserRow = typeof users.$inferSelect;

export const findUserRecord = (db: Database, id: number, now: number): Promise<UserRecord | undefined> => {
  const ended = db
    .select({ ids: sql<string>`json_group_array(${sessions.id})` })
    .from(sessions)
    .where(and(eq(sessions.userId, id), gt(sessions.endedAt, now - ACCESS_TOKEN_MS)));
  return db
    .select({
      role: users.role,
      disabledAt: users.disabledAt,
      endedSessions: json<string[]>(sql`(${ended})`),
    })
    .from(users)
    .where(eq(users.id, id))
    .get();
};

export const findUser = (db: Database, id: number): Promise<UserRow | undefined> =>
  db.select().from(users).where(eq(users.id, id)).get();

export const findUserByEmail = (db: Database, email: string): Promise<UserRow | undefined> =>
  db.select().from(users).where(eq(users.email, email)).get();

export const emailTaken = { "users.email": () => badRequest({ email: ["is already registered"] }) };

/** The account and its first session, in one batch. */
export async function insertUser(db: Database, user: typeof users.$inferInsert, session: NewSession): Promise<UserRow> {
  const owner = sql`(SELECT id FROM users WHERE email = ${user.email})`;
  const batch = db.batch([db.insert(users).values(user).returning(), ...sessionInserts(db, owner, session)]);
  const [[row]] = await refusing(batch, emailTaken);
  if (!row) throw new Error("An inserted user was not returned");
  return row;
}
