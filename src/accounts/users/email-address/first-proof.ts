import { type SQL, sql } from "drizzle-orm";
import { endEveryLink, type Link } from "../link-tokens/queries.ts";
import { endSessions } from "../sessions/end-queries.ts";
import { NO_PASSWORD } from "../sign-in/passwords.ts";
import { deleteFactor } from "../two-factor/queries.ts";

type Account = Pick<Link["user"], "id" | "email" | "passwordHash" | "emailVerifiedAt" | "formerlyVerifiedAt">;

/** Whether anybody may have opened the account: nobody has shown yet that an address of it is theirs. */
export const isUnproven = ({ emailVerifiedAt, formerlyVerifiedAt }: Account): boolean =>
  emailVerifiedAt === null && formerlyVerifiedAt === null;

/**
 * The statements that end what was set before somebody proved the address who is not known to have set it: every way in, and
 * what a stranger may have left for the owner to use. Orders, packages and the wallet stay, since the shop keeps account of
 * them. An imported account, which never had a password, keeps what the shop said of its owner.
 */
export const endUnproven = ({ id, email, passwordHash }: Account, now: number): SQL[] => [
  endSessions(id, now),
  ...deleteFactor(id),
  ...endEveryLink(id),
  sql`DELETE FROM login_challenges WHERE user_id = ${id}`,
  sql`DELETE FROM addresses WHERE user_id = ${id}`,
  sql`DELETE FROM carts WHERE user_id = ${id}`,
  ...(passwordHash === NO_PASSWORD
    ? []
    : [
        sql`UPDATE users SET name = ${email.slice(0, email.lastIndexOf("@"))}, folded_words = NULL, phone = NULL, company = NULL,
          accepts_marketing = 0, metadata = '{}', password_hash = ${NO_PASSWORD} WHERE id = ${id}`,
      ]),
];
