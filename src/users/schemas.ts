import * as z from "zod";
import { Email, NewPassword } from "../auth/schemas.ts";
import { roles } from "../db/schema.ts";
import { isoOrNull, line } from "../http/fields.ts";
import { pageFields } from "../http/pagination.ts";
import { Movement } from "../money.ts";
import { type Profile, toProfile } from "../profile.ts";

export const UsersQuery = z.strictObject({
  ...pageFields,
  role: z.enum(roles).optional(),
  state: z.enum(["active", "disabled"]).optional(),
  /** The beginning of an e-mail address or of a name. */
  search: z.string().trim().max(254).optional(),
});
export type UsersQuery = z.output<typeof UsersQuery>;

/** The fields that are sent change, and no others. A role and a password are for administrators alone to give. */
export const UserChange = z
  .strictObject({
    name: line(100),
    email: Email,
    role: z.enum(roles),
    disabled: z.boolean(),
    password: NewPassword,
  })
  .partial()
  .refine((change) => Object.keys(change).length > 0, "must change something");
export type UserChange = z.output<typeof UserChange>;

/** What a wallet is given, in minor units; what is negative is taken. */
export const WalletCredit = z.strictObject({ amount: Movement, reason: line(200) });
export type WalletCredit = z.output<typeof WalletCredit>;

/** An account with how many orders it has placed. */
export type Account = Profile & { orderCount: number };

/** The user as whoever looks after the shop sees it: the profile, and since when it is disabled, if it is. */
export const toUser = (user: Profile, currency: string) => ({
  ...toProfile(user, currency),
  disabled_at: isoOrNull(user.disabledAt),
});

export const toAccount = (user: Account, currency: string) => ({
  ...toUser(user, currency),
  order_count: user.orderCount,
});
