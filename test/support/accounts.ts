import { scryptSync } from "node:crypto";
import { eq } from "drizzle-orm";
import { signAccessToken } from "../../src/auth/tokens.ts";
import * as tables from "../../src/db/schema.ts";
import { newSession, sessionInserts } from "../../src/users/sessions/queries.ts";
import { aUser, db, settings } from "./shop.ts";

export const PASSWORD = "correct horse battery";

/** A hash as it was stored under other parameters, made without the code under test. */
export function hashOf(password: string, [ln, r, p]: [ln: number, r: number, p: number]): string {
  const base64 = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
  const salt = Buffer.from("sixteen bytes :)");
  return `$scrypt$ln=${ln},r=${r},p=${p}$${base64(salt)}$${base64(scryptSync(password, salt, 32, { N: 2 ** ln, r, p }))}`;
}

/** PASSWORD, hashed at a fraction of today's cost: a wrong guess costs next to nothing, and a login makes the hash anew. */
const cheapHash = hashOf(PASSWORD, [4, 8, 1]);

/** Makes guesses of an account's PASSWORD cheap again, after a login or sign-up. */
export const cheapen = (email: string) =>
  db.update(tables.users).set({ passwordHash: cheapHash }).where(eq(tables.users.email, email));

/** A user with a password, PASSWORD. */
export async function anAccount(columns: Partial<typeof tables.users.$inferInsert> = {}) {
  const { id, email, name, token, sessionId } = await aUser();
  await db
    .update(tables.users)
    .set({ passwordHash: cheapHash, ...columns })
    .where(eq(tables.users.id, id));
  return { id, email, name, token, sessionId };
}

/** One more session of a user, with its refresh token. */
export async function aSession(userId: number) {
  const session = newSession(Date.now(), { address: null, userAgent: null });
  await db.batch(sessionInserts(db, userId, session));
  const { token } = await signAccessToken(settings, { userId, sessionId: session.id });
  return { ...session, token };
}

export const accountNow = async (id: number) => {
  const row = await db.select().from(tables.users).where(eq(tables.users.id, id)).get();
  if (!row) throw new Error(`There is no user ${id}`);
  return row;
};
