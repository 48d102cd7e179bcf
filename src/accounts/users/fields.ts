import * as z from "zod";
import { Email } from "../../domain/email.ts";
import { line } from "../../domain/fields.ts";
import { Metadata } from "../../domain/metadata.ts";
import { Phone } from "../../domain/phone.ts";
import { declareFields } from "../../platform/administration/fields.ts";
import { roles, type users } from "../../platform/db/schema.ts";

type UserRow = typeof users.$inferSelect;

type Contact = Pick<UserRow, "phone" | "company" | "acceptsMarketing" | "metadata">;

/** What an account says of its owner beside name and e-mail address: sent at sign-up or later, by them or by the shop. */
export const contactFields = declareFields<Contact>()({
  phone: { column: "phone", schema: Phone.nullable(), initial: null },
  company: { column: "company", schema: line(200).nullable(), initial: null },
  accepts_marketing: {
    column: "acceptsMarketing",
    schema: z.boolean().describe("Whether they agreed to hear of offers"),
    initial: false,
  },
  metadata: { column: "metadata", schema: Metadata, initial: {} },
});

type ProfileState = Contact & Pick<UserRow, "name" | "email">;

/** The fields of an account that its owner edits. */
export const profileFields = declareFields<ProfileState>()({
  name: { column: "name", schema: line(100) },
  email: { column: "email", schema: Email },
  ...contactFields,
});

export type UserState = ProfileState & Pick<UserRow, "role" | "taxExemptReason"> & { disabled: boolean };

/** The fields of an account that administrators edit. */
export const userFields = declareFields<UserState>()({
  ...profileFields,
  role: {
    column: "role",
    schema: z
      .enum(roles)
      .describe("For administrators to give. A customer who becomes staff gets a new password, and every session ends"),
  },
  tax_exempt_reason: {
    column: "taxExemptReason",
    schema: line(200)
      .nullable()
      .describe("Why no tax is taken of their orders, such as a VAT number; null where it is"),
  },
  disabled: { column: "disabled", schema: z.boolean() },
});
