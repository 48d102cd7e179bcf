import { and, eq, gt, sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { json } from "../../db/json.ts";
import { sessions, users } from "../../db/tables/users.ts";
import { ACCESS_TOKEN_MS } from "../tokens.ts";
import type { UserRecord } from "./verify.ts";

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
