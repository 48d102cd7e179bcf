import * as z from "zod";
import { iso, isoOrNull, Timestamp } from "../../domain/fields.ts";
import { Money, toDecimal } from "../../domain/money.ts";
import { lockOf } from "../../domain/wallet-lock.ts";
import type { Answered } from "../../platform/administration/fields.ts";
import { roles, type users } from "../../platform/db/schema.ts";
import type { profileFields } from "./fields.ts";

/** An account as stored, without its password hash. */
export type ProfileRow = Omit<typeof users.$inferSelect, "passwordHash">;

/** An account as its owner sees it. */
export const Profile = z
  .object({
    id: z.int(),
    email: z.string(),
    email_verified_at: Timestamp.nullable().describe(
      "Time at which the e-mail address was verified. Null if it is not verified",
    ),
    pending_email: z.string().nullable().describe("New e-mail address that waits for confirmation"),
    name: z.string(),
    role: z.enum(roles),
    phone: z.string().nullable(),
    company: z.string().nullable(),
    accepts_marketing: z.boolean(),
    tax_exempt_reason: z
      .string()
      .nullable()
      .describe("Reason why the user's orders are exempt from tax. Null if they are taxed"),
    metadata: z.record(z.string(), z.string()),
    wallet_balance: Money,
    wallet_locked_until: Timestamp.nullable().describe(
      "When the lock of the wallet ends, after an administrator changed the e-mail address. Null if the wallet is not locked",
    ),
    currency: z.string(),
    erase_at: Timestamp.nullable().describe(
      "Time at which the account will be erased. The erasure can be undone until then",
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  } satisfies Answered<typeof profileFields>)
  .meta({ id: "Profile" });
export type Profile = z.output<typeof Profile>;

export const toProfile = (user: ProfileRow, currency: string): Profile => ({
  id: user.id,
  email: user.email,
  email_verified_at: isoOrNull(user.emailVerifiedAt),
  pending_email: user.pendingEmail,
  name: user.name,
  role: user.role,
  phone: user.phone,
  company: user.company,
  accepts_marketing: user.acceptsMarketing,
  tax_exempt_reason: user.taxExemptReason,
  metadata: user.metadata,
  wallet_balance: toDecimal(user.walletBalance),
  wallet_locked_until: isoOrNull(lockOf(user, Date.now())),
  currency,
  erase_at: isoOrNull(user.eraseAt),
  created_at: iso(user.createdAt),
  updated_at: iso(user.updatedAt),
});
