import * as z from "zod";
import { Email } from "../../domain/contact.ts";
import {
  changesSomething,
  coded,
  ExternalId,
  isoOrNull,
  line,
  MetadataText,
  oneSpan,
  spanFields,
  Timestamp,
  wholeNumber,
} from "../../domain/fields.ts";
import { Money, Movement, PriceText } from "../../domain/money.ts";
import { toRecord } from "../../domain/record.ts";
import { CustomerTags, TagFilter } from "../../domain/tags.ts";
import { lockOf } from "../../domain/wallet-lock.ts";
import { changeShape, type ResponseSchemas } from "../../platform/administration/fields.ts";
import { roles, type users } from "../../platform/db/schema.ts";
import { cursorFields, hasCursor, pageFields, withoutPages } from "../../platform/http/pagination.ts";
import { type profileFields, userFields } from "./fields.ts";
import { NewPassword } from "./sign-in/schemas.ts";

const OrderCount = wholeNumber(0, 1_000_000).optional();

/** Filters and sort orders of the administration API's user list. */
export const userFilters = {
  ...spanFields,
  sort: z
    .enum(["newest", "oldest", "name", "-name", "spent", "-spent", "orders", "-orders"])
    .default("newest")
    .describe("Sort order. A minus reverses it: `-spent` lists those who spent most first"),
  state: z.enum(["active", "disabled"]).optional(),
  min_spent: PriceText.optional().describe("Customers who spent at least this much"),
  max_spent: PriceText.optional(),
  min_orders: OrderCount.describe("Customers with at least this many paid orders"),
  max_orders: OrderCount,
  tag: TagFilter.optional().describe(
    "Tags that a customer must all have: several parameters, or one with commas. Case and accents do not matter",
  ),
  email: Email.optional().describe("Whole e-mail address of one customer"),
  external_id: ExternalId.optional().describe("Id of one customer in another system"),
  metadata: MetadataText.optional().describe(
    "Name and text in `metadata`, such as `channel:market`. Finds customers among the 10,000 newest",
  ),
  search: z
    .string()
    .trim()
    .max(254)
    .optional()
    .describe("Words of the name or e-mail address. The last word may be incomplete"),
};

export const UsersQuery = z
  .strictObject({ ...pageFields, ...cursorFields, ...userFilters })
  .refine(...withoutPages)
  .refine(...oneSpan)
  .refine((query) => !hasCursor(query) || (query.sort === "newest" && !query.search), {
    path: ["updated_since"],
    error: "and after_id cannot be combined with search or sort, which set the order",
    ...coded("not_applicable"),
  });
export type UsersQuery = z.output<typeof UsersQuery>;
export type UserFilters = Omit<UsersQuery, keyof typeof pageFields | keyof typeof cursorFields>;

export const UserUpdate = z
  .strictObject({
    ...changeShape(userFields),
    email: userFields.email.schema.describe(
      "New e-mail address. Takes effect once the owner approves it through a link sent to the current address, or immediately with `email_change_reason`",
    ),
    email_change_reason: line(200).describe(
      "Reason to change `email` immediately, recorded in the audit log. Only administrators can set it. Locks the wallet for 72 hours",
    ),
    password: NewPassword.describe("New password. Only administrators can set it"),
    revoke_api_keys: z
      .literal(true)
      .describe("With `disabled`, also revokes the API keys that the person created. Only administrators can send it"),
  })
  .partial()
  .refine(...changesSomething)
  .refine(({ email, email_change_reason }) => email !== undefined || email_change_reason === undefined, {
    path: ["email"],
    error: "is required with a reason to change it",
  })
  .refine(({ disabled, revoke_api_keys }) => disabled === true || revoke_api_keys === undefined, {
    path: ["revoke_api_keys"],
    error: "goes together with `disabled`: true",
  })
  .meta({ id: "UserUpdate", description: "Fields that are not sent keep their values" });
export type UserUpdate = z.output<typeof UserUpdate>;

export const WalletCredit = z
  .strictObject({ amount: Movement.describe("Amount to add to the wallet. Negative to deduct"), reason: line(200) })
  .meta({ id: "WalletCredit" });
export type WalletCredit = z.output<typeof WalletCredit>;

/** An account with its second factor and the address that the shop proposed. */
export type AccountRow = ProfileRow & {
  hasPassword: boolean;
  twoFactorSince: number | null;
  proposedEmail: string | null;
};

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
  } satisfies ResponseSchemas<typeof profileFields>)
  .meta({ id: "Profile" });
export type Profile = z.output<typeof Profile>;

/** A user in the administration API: the profile, and when the account was disabled. */
export const User = z
  .object({
    ...Profile.shape,
    external_id: z.string().nullable(),
    tags: CustomerTags.describe("Tags that staff assigned to the customer, who does not see them"),
    disabled_at: Timestamp.nullable(),
    order_count: z.int().describe("Number of paid orders that were not cancelled"),
    spent: Money.describe(
      "Total of the orders that `order_count` counts, less refunds and the gift cards in them, which are spent by the orders that they pay",
    ),
  })
  .meta({ id: "User" });

export const Account = z
  .object({
    ...User.shape,
    proposed_email: z
      .string()
      .nullable()
      .describe("Address that the shop proposed and the owner has not approved yet. Null if there is none"),
    has_password: z.boolean().describe("False until the owner of an added or imported account chooses a password"),
  })
  .meta({ id: "Account" });

export const toUser = (user: ProfileRow, currency: string): z.output<typeof User> =>
  toRecord(User, user, ownOf(user, currency));

export const toAccount = (user: AccountRow, currency: string): z.output<typeof Account> =>
  toRecord(Account, user, ownOf(user, currency));

/** An account as stored, without its password hash. */
export type ProfileRow = Omit<typeof users.$inferSelect, "passwordHash">;

export const toProfile = (user: ProfileRow, currency: string): Profile =>
  toRecord(Profile, user, ownOf(user, currency));

const ownOf = (user: ProfileRow, currency: string) => ({
  currency,
  wallet_locked_until: isoOrNull(lockOf(user, Date.now())),
});
