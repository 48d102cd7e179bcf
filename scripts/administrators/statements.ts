import { type SQL, sql } from "drizzle-orm";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { endEveryLink } from "../../src/accounts/users/email-address/link-tokens.ts";
import { endSessions } from "../../src/accounts/users/sessions/sessions.ts";
import { deleteFactor, removeFactor } from "../../src/accounts/users/two-factor/two-factor.ts";
import { auditEntry } from "../../src/platform/audit/audit.ts";
import type { Author } from "../../src/platform/auth/caller.ts";
import { foldedWords, searchedTexts } from "../../src/platform/db/search-words.ts";
import { versionAfter } from "../../src/platform/db/statements.ts";
import type { Secrets } from "../../src/platform/settings/settings.ts";

// Statements as text, since wrangler takes no parameters. Drizzle quotes the values.

type Person = { email: string; name: string; passwordHash: string };

const idOf = (email: string): SQL => sql`(SELECT id FROM users WHERE email = ${email})`;

export const findAccount = (email: string): string =>
  text([
    sql`SELECT role, disabled_at,
    EXISTS (SELECT 1 FROM totp_secrets WHERE user_id = users.id AND confirmed_at IS NOT NULL) AS two_factor
    FROM users WHERE email = ${email}`,
  ]);

export const createAdministrator = ({ email, name, passwordHash }: Person, author: Author): string => {
  const after = { email, name, role: "admin" };
  return text([
    sql`INSERT INTO users (email, email_verified_at, name, folded_words, password_hash, role, created_at, updated_at)
      VALUES (${email}, ${author.now}, ${name}, ${foldedWords(searchedTexts.users({ name }))}, ${passwordHash}, 'admin', ${author.now}, ${author.now})`,
    auditEntry({ author }, { action: "create", subject: "user", id: idOf(email), after }),
  ]);
};

/**
 * Promotes an account with a new password and without its second factor, sessions and links, because anyone may have
 * registered the address. The rule `row_changed` refuses the whole batch if the account is gone.
 */
export const promote = (email: string, role: string, passwordHash: string, author: Author): string => {
  const states = { before: { role }, after: { role: "admin", password: "changed" } };
  const account = sql`email = ${email} AND role = ${role} AND disabled_at IS NULL`;
  return text([
    sql`INSERT INTO preconditions (holds) SELECT EXISTS (SELECT 1 FROM users WHERE ${account})`,
    sql`UPDATE users SET role = 'admin', password_hash = ${passwordHash},
      email_verified_at = coalesce(email_verified_at, ${author.now}), updated_at = ${versionAfter(author.now)} WHERE ${account}`,
    ...deleteFactor(idOf(email)),
    endSessions({ author }, idOf(email)),
    ...endEveryLink(idOf(email)),
    auditEntry({ author }, { action: "update", subject: "user", id: idOf(email), ...states }),
  ]);
};

/**
 * The rule `row_changed` refuses the whole batch if the account has no second factor any more. The Worker sends the e-mail
 * within a minute.
 */
export const withoutTwoFactor = (email: string, author: Author): string =>
  text(removeFactor({ settings: { linkSecrets: NO_SECRETS }, author }, idOf(email)));

/** The deployment's secrets seal links in e-mails, and this e-mail has no link. */
const NO_SECRETS: Secrets = [""];

const dialect = new SQLiteSyncDialect();

function text(statements: SQL[]): string {
  return statements.map((statement) => `${dialect.sqlToQuery(statement.inlineParams()).sql};\n`).join("");
}
