import { type Database, runAll } from "../../db/client.ts";
import { notFound } from "../../errors.ts";
import type { Secrets } from "../../settings/settings.ts";
import { findUser } from "../queries.ts";
import { requestedChange, verification } from "./queries.ts";

/** Sends the link once more that the account waits for, and says to which address; null when it waits for none. */
export async function resendLink(db: Database, secrets: Secrets, userId: number, now: number): Promise<string | null> {
  const user = await findUser(db, userId);
  if (!user) throw notFound("The account");
  const { email, emailVerifiedAt, pendingEmail } = user;
  if (pendingEmail !== null) await runAll(db, requestedChange(secrets, userId, pendingEmail, now));
  else if (emailVerifiedAt === null) await runAll(db, verification(secrets, userId, email, now));
  return pendingEmail ?? (emailVerifiedAt === null ? email : null);
}
