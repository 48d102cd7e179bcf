import { userFields } from "../../accounts/users/fields.ts";
import { inputsOf } from "../forms/conversion.ts";
import type { FormInputs } from "../forms/inputs.ts";
import { optional } from "../forms/kinds.ts";

const declared = inputsOf(userFields);

/** The account's form, by API field. */
export const accountInputs = {
  ...declared,
  email: {
    ...declared.email,
    hint: "Changes once the customer opens a link sent to the current address.",
  },
  email_change_reason: {
    as: "text",
    label: "Reason to change the e-mail at once",
    maxlength: 200,
    hint: "If the customer lost the mailbox. Recorded, and locks the wallet for 72 hours.",
    read: optional,
  },
  password: {
    as: "password",
    label: "New password",
    autocomplete: "new-password",
    hint: "Leave empty to keep the current one. A new one signs the customer out everywhere.",
    read: optional,
  },
} satisfies FormInputs;

const { name, email, phone, company, tax_exempt_reason, tags, accepts_marketing } = declared;

/** The form for a new customer. */
export const addedInputs = {
  name,
  email,
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
