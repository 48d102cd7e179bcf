import * as z from "zod";
import { Email, Phone } from "../../domain/contact.ts";
import { line, Metadata } from "../../domain/fields.ts";
import { CustomerTags, distinctTags } from "../../domain/tags.ts";
import { declareFields } from "../../platform/administration/fields.ts";
import { roleGuide } from "../../platform/auth/roles.ts";
import { roles, type users } from "../../platform/db/schema.ts";

export const MAX_NAME = 100;
export const MAX_COMPANY = 200;
export const MAX_TAX_EXEMPT_REASON = 200;

type UserRow = typeof users.$inferSelect;

type Contact = Pick<UserRow, "phone" | "company" | "acceptsMarketing" | "metadata">;

/** Contact fields of an account besides name and e-mail address, set at sign-up or later, by the owner or the shop. */
export const contactFields = declareFields<Contact>()({
  phone: { column: "phone", schema: Phone.nullable(), initial: null },
  company: { column: "company", schema: line(MAX_COMPANY).nullable(), initial: null },
  accepts_marketing: {
    column: "acceptsMarketing",
    schema: z.boolean().describe("True if the user agreed to receive marketing e-mails"),
    initial: false,
  },
  metadata: { column: "metadata", schema: Metadata, initial: {} },
});

type ProfileState = Contact & Pick<UserRow, "name" | "email">;

/** Account fields that the owner can edit. */
export const profileFields = declareFields<ProfileState>()({
  name: { column: "name", schema: line(MAX_NAME) },
  email: { column: "email", schema: Email },
  ...contactFields,
});

export type UserState = ProfileState & Pick<UserRow, "role" | "taxExemptReason" | "tags"> & { disabled: boolean };

/** Account fields that administrators can edit. */
export const userFields = declareFields<UserState>()({
  ...profileFields,
  role: {
    column: "role",
    schema: z
      .enum(roles)
      .describe(
        `Role of the user. Only administrators can change it, among staff or back to customer: a customer becomes staff by accepting an invitation\n${roleGuide(roles)}`,
      ),
  },
  tax_exempt_reason: {
    column: "taxExemptReason",
    schema: line(MAX_TAX_EXEMPT_REASON)
      .nullable()
      .describe("Reason why the customer's orders are exempt from tax, such as a VAT number. Null if they are taxed"),
  },
  tags: { column: "tags", schema: CustomerTags, stored: distinctTags, initial: [] },
  disabled: { column: "disabled", schema: z.boolean() },
});
