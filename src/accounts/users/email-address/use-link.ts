import type { Author } from "../../../platform/auth/author.ts";
import { forgetUser } from "../../../platform/auth/users/limiter.ts";
import type { Database } from "../../../platform/db/client.ts";
import type { Settings } from "../../../platform/settings/settings.ts";
import { requireLink } from "../link-tokens/require-link.ts";
import type { SessionClient } from "../sessions/client.ts";
import { confirmAddress, revertAddress, verifyAddress } from "./queries.ts";

/** Who opens a link, and from where. */
export type Opening = { env: Env; db: Database; settings: Settings; author: Author; client: SessionClient };

/** Verifies the address that a link was sent to, which may be the account's new one. Answers with it. */
export async function verifyEmail({ db, settings, author, client }: Opening, token: string): Promise<string> {
  const link = await requireLink(db, token, ["verify_email", "change_email"], author.now);
  if (link.purpose === "verify_email") await verifyAddress(db, link, author.now);
  else await confirmAddress(db, settings.linkSecrets, link, client, author);
  return link.address;
}

/** Gives an account the address back that it had before it was changed. */
export async function revertEmail({ env, db, settings, author }: Opening, token: string): Promise<void> {
  const link = await requireLink(db, token, ["revert_email"], author.now);
  await revertAddress(db, settings.linkSecrets, link, author);
  await forgetUser(env, link.user.id);
}
