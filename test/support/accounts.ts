import { eq } from "drizzle-orm";
import { newSession, sessionInserts } from "../../src/accounts/users/sessions/sessions.ts";
import { signAccessToken } from "../../src/platform/auth/tokens.ts";
import * as tables from "../../src/platform/db/schema.ts";
import { call } from "./call.ts";
import { PASSWORD_COST } from "./password-cost.ts";
import { hashOf } from "./password-hash.ts";
import { aUser, db, settings } from "./shop.ts";

export const PASSWORD = "correct horse battery";

const passwordHash = hashOf(PASSWORD, PASSWORD_COST);

/** A user whose password is PASSWORD. */
export const anAccount = (columns: Parameters<typeof aUser>[0] = {}) => aUser({ passwordHash, ...columns });

/** Adds a session that was opened this long ago, with its refresh token. */
export async function aSession(userId: number, ago = 0) {
  const session = newSession(Date.now() - ago, { address: null, userAgent: null });
  await db.batch(sessionInserts({ db }, { userId, session }));
  const { token } = await signAccessToken(settings, { userId, sessionId: session.id, authenticatedAt: Date.now() });
  return { ...session, token };
}

export const accountNow = async (id: number) => {
  const row = await db.select().from(tables.users).where(eq(tables.users.id, id)).get();
  if (!row) throw new Error(`There is no user ${id}`);
  return row;
};

export const logIn = (email: string, password = PASSWORD) => call("POST /auth/login", { body: { email, password } });

/** Status of a profile's request: 200 while the credential is valid. */
export const profileStatus = async (as: string) => (await call("GET /account/profile", { as })).status;
