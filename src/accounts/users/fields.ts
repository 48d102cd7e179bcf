import * as z from "zod";
import { Email, Phone } from "../../domain/contact.ts";
import { ExternalId, line, Metadata } from "../../domain/fields.ts";
import { CustomerTags, distinctTags, TAGS_HINT } from "../../domain/tags.ts";
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
  phone: { schema: Phone.nullable(), input: { as: "tel" } },
  company: { schema: line(MAX_COMPANY).nullable(), input: {} },
  accepts_marketing: {
    schema: z.boolean().describe("True if the user agreed to receive marketing e-mails"),
    initial: false,
    input: { label: "Agreed to marketing" },
  },
  metadata: {
    schema: Metadata,
    initial: {},
    input: { as: "metadata", hint: "One entry per line, such as source = fair." },
  },
});

type ProfileState = Contact & Pick<UserRow, "name" | "email">;

/** Account fields that the owner can edit. */
export const profileFields = declareFields<ProfileState>()({
  name: { schema: line(MAX_NAME), input: {} },
  email: { schema: Email, input: { as: "email", maxlength: 254 } },
  ...contactFields,
});

export type UserState = ProfileState &
  Pick<UserRow, "role" | "taxExemptReason" | "tags" | "externalId"> & { disabled: boolean };

/** Account fields that administrators can edit. */
export const userFields = declareFields<UserState>()({
  ...profileFields,
  role: {
    schema: z
      .enum(roles)
      .describe(
        `Role of the user. Only administrators can change it, among staff or back to customer: a customer becomes staff by accepting an invitation\n${roleGuide(roles)}`,
      ),
  },
  tax_exempt_reason: {
    schema: line(MAX_TAX_EXEMPT_REASON).nullable().describe("Reason why the customer's orders are exempt from tax"),
    input: {
      label: "Reason for tax exemption",
      hint: "For example, a VAT number. Leave empty to tax orders normally.",
    },
  },
  external_id: {
    schema: ExternalId.nullable().describe("Id in another system. Unique among accounts"),
    input: { label: "Id in another system" },
  },
  tags: {
    schema: CustomerTags,
    stored: distinctTags,
    initial: [],
    input: { as: "tags", hint: TAGS_HINT, placeholder: "VIP, Wholesale" },
  },
  disabled: {
    schema: z.boolean(),
    input: { label: "Disabled: all sessions end, and nobody can sign in to the account" },
  },
});
