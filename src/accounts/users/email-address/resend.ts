import { notFound } from "../../../domain/errors.ts";
import { limitAccount } from "../../../platform/auth/gates.ts";
import { type Database, runAll } from "../../../platform/db/client.ts";
import type { Secrets } from "../../../platform/settings/settings.ts";
import { findUser } from "../queries.ts";
import { requestedChange, verification } from "./queries.ts";

/** Sends the link once more that the account waits for, and says to which address; null when it waits for none. */
export async function resendLink(
  env: Env,
  db: Database,
  secrets: Secrets,
  userId: number,
  now: number,
): Promise<string | null> {
  const user = await findUser(db, userId);
  if (!user) throw notFound("The account");
  const { email, emailVerifiedAt, pendingEmail } = user;
  const to = pendingEmail ?? (emailVerifiedAt === null ? email : null);
  if (to === null) return null;
  await limitAccount({ env }, "recovery", to);
  await runAll(db, (pendingEmail === null ? verification : requestedChange)(secrets, userId, to, now));
  return to;
}
