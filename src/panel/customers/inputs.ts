import type { userFields } from "../../accounts/users/fields.ts";
import { type FormInput, type FormInputs, tagsInput } from "../forms/inputs.ts";
import { metadata, optional } from "../forms/kinds.ts";

/** The account's form, by API field. */
export const accountInputs = {
  name: { as: "text", label: "Name", required: true, maxlength: 100 },
  email: {
    as: "email",
    label: "E-mail",
    required: true,
    maxlength: 254,
    hint: "A new address takes effect once the owner approves it through a link sent to the current one.",
  },
  phone: { as: "tel", label: "Phone", maxlength: 40 },
  company: { as: "text", label: "Company", maxlength: 200 },
  email_change_reason: {
    as: "text",
    label: "Reason to change the e-mail immediately",
    maxlength: 200,
    hint: "For a lost mailbox. Recorded in the audit log. Locks the wallet for 72 hours.",
    read: optional,
  },
  password: {
    as: "password",
    label: "New password",
    autocomplete: "new-password",
    hint: "Leave empty to keep the password. A new password ends all sessions of the account.",
    read: optional,
  },
  tax_exempt_reason: {
    as: "text",
    label: "Reason for tax exemption",
    hint: "For example, a VAT number. Leave empty to tax orders normally.",
    maxlength: 200,
  },
  tags: { ...tagsInput, placeholder: "VIP, Wholesale" },
  metadata: {
    as: "lines",
    label: "Metadata",
    rows: 3,
    hint: "One entry per line, such as source = fair.",
    read: metadata,
  },
  accepts_marketing: { as: "flag", label: "Agreed to marketing" },
  disabled: { as: "flag", label: "Disabled: all sessions end, and nobody can sign in to the account" },
} satisfies Record<Exclude<keyof typeof userFields, "role"> | "email_change_reason" | "password", FormInput>;

const { name, phone, company, tax_exempt_reason, tags, accepts_marketing } = accountInputs;

/** The form for a new customer. */
export const addedInputs = {
  name,
  email: { as: "email", label: "E-mail", required: true, maxlength: 254 },
  phone,
  company,
  tax_exempt_reason,
  tags,
  accepts_marketing,
  invite: { as: "flag", label: "Send a link to choose a password" },
} satisfies FormInputs;

export const noteInputs = {
  text: {
    as: "lines",
    label: "New note",
    rows: 2,
    maxlength: 2_000,
    required: true,
    hint: "Staff see it, and so does the customer in an export of their personal data.",
  },
} satisfies FormInputs;

/** A credit to a wallet. */
export const creditInputs = {
  amount: { as: "money", label: "Amount", required: true },
  reason: { as: "text", label: "Reason", required: true, maxlength: 200 },
} satisfies FormInputs;
