import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt } from "../../../platform/db/columns.ts";
import { users } from "../tables.ts";

export const linkPurposes = [
  "reset_password",
  "verify_email",
  "change_email",
  "revert_email",
  "approve_email",
  "invite_customer",
] as const;
export type LinkPurpose = (typeof linkPurposes)[number];

/** Single-use tokens in links of e-mails. The row is deleted on use. */
export const linkTokens = sqliteTable(
  "link_tokens",
  {
    /** SHA-256 of the token, hex. */
    hash: text().primaryKey(),
    purpose: text({ enum: linkPurposes }).notNull(),
    /** Null if no account has the requested address. The row is written anyway. */
    userId: integer("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** Address that the link verifies, restores or approves. */
    email: text(),
    expiresAt: integer("expires_at").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index("link_tokens_by_user").on(table.userId, table.purpose),
    index("link_tokens_by_expiry").on(table.expiresAt),
    index("link_tokens_to_revert").on(table.email).where(sql.raw(`purpose = 'revert_email'`)),
  ],
);

const userId = () =>
  integer("user_id")
    .notNull()
    .references(() => users.id, { onDelete: "cascade" });

/** The second factor of an account: the secret of its authenticator app. */
export const totpSecrets = sqliteTable(
  "totp_secrets",
  {
    userId: userId().primaryKey(),
    /** Encrypted; see users/two-factor/totp.ts. */
    sealed: text().notNull(),
    /** The secret of the deployment that encrypts it. */
    sealedUnder: text("sealed_under").notNull(),
    /** Null until a first code confirms the app. */
    confirmedAt: integer("confirmed_at"),
    /** Time step of the latest used code. It and earlier ones are spent. */
    lastStep: integer("last_step").notNull().default(0),
    createdAt: createdAt(),
  },
  (table) => [index("totp_secrets_by_secret").on(table.sealedUnder)],
);

/** Single-use codes for users who lost their app. */
export const recoveryCodes = sqliteTable(
  "recovery_codes",
  {
    userId: userId(),
    /** SHA-256 of the code, hex. */
    hash: text().notNull(),
    usedAt: integer("used_at"),
  },
  (table) => [primaryKey({ columns: [table.userId, table.hash] })],
);

/** Code attempts for one correct password. */
export const CHALLENGE_ATTEMPTS = 15;

/** Logins with a correct password that still need a code. */
export const loginChallenges = sqliteTable(
  "login_challenges",
  {
    /** SHA-256 of the challenge, hex. */
    hash: text().primaryKey(),
    userId: userId(),
    attempts: integer().notNull().default(0),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    check("challenge_attempts_within_limit", sql.raw(`"attempts" <= ${CHALLENGE_ATTEMPTS}`)),
    index("login_challenges_by_user").on(table.userId),
    index("login_challenges_by_expiry").on(table.expiresAt),
  ],
);
