import type { users } from "./db/schema.ts";
import { iso } from "./http/fields.ts";
import { toDecimal } from "./money.ts";

/** An account as it is stored, without the hash of its password. */
export type Profile = Omit<typeof users.$inferSelect, "passwordHash">;

export const toProfile = (user: Profile, currency: string) => ({
  id: user.id,
  email: user.email,
  name: user.name,
  role: user.role,
  wallet_balance: toDecimal(user.walletBalance),
  currency,
  created_at: iso(user.createdAt),
  updated_at: iso(user.updatedAt),
});
