import * as z from "zod";
import { roles, type users } from "../db/schema.ts";
import { iso, Timestamp } from "../domain/fields.ts";
import { Money, toDecimal } from "../domain/money.ts";
import { Contact, toContact } from "./contact.ts";

/** An account as it is stored, without the hash of its password. */
export type ProfileRow = Omit<typeof users.$inferSelect, "passwordHash">;

/** An account as its owner sees it. */
export const Profile = z
  .object({
    id: z.int(),
    email: z.string(),
    name: z.string(),
    role: z.enum(roles),
    ...Contact.shape,
    wallet_balance: Money,
    currency: z.string(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "Profile" });
export type Profile = z.output<typeof Profile>;

export const toProfile = (user: ProfileRow, currency: string): Profile => ({
  id: user.id,
  email: user.email,
  name: user.name,
  role: user.role,
  ...toContact(user),
  wallet_balance: toDecimal(user.walletBalance),
  currency,
  created_at: iso(user.createdAt),
  updated_at: iso(user.updatedAt),
});
