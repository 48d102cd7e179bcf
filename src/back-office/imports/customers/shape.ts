import * as z from "zod";
import { MAX_COMPANY, MAX_NAME, MAX_TAX_EXEMPT_REASON, userFields } from "../../../accounts/users/public.ts";
import { Moment } from "../../../domain/fields.ts";
import { changeShape, newShape } from "../../../platform/administration/fields.ts";
import type { RowFailure } from "../../../platform/jobs/kind.ts";
import { failuresOf, fitted, inSmallLetters, type TextLimits } from "../fitted.ts";
import { ImportedId } from "../limits.ts";
import type { ImportRecord } from "../reading/record.ts";

const { role: _role, disabled: _disabled, ...imported } = userFields;

/** The fields that an import may write. Permissions and passwords are excluded. */
export const customerFields = imported;

export const NewCustomer = z.strictObject({
  ...newShape(customerFields),
  tax_exempt_reason: customerFields.tax_exempt_reason.schema.default(null),
});
export const CustomerChange = z.strictObject(changeShape(customerFields)).partial();

/** Fields of an account in responses that an import may not write. */
const Shown = z.object({
  id: ImportedId.optional(),
  role: z.literal("customer", "must be customer: staff are invited, not imported").optional(),
  disabled_at: Moment.nullish(),
  created_at: Moment.optional(),
  updated_at: Moment.optional(),
  email_verified_at: z.unknown().optional(),
  pending_email: z.unknown().optional(),
  wallet_balance: z.unknown().optional(),
  wallet_locked_until: z.unknown().optional(),
  proposed_email: z.unknown().optional(),
  currency: z.unknown().optional(),
  erase_at: z.unknown().optional(),
  has_password: z.unknown().optional(),
  order_count: z.unknown().optional(),
  spent: z.unknown().optional(),
});

const TEXT_LIMITS: TextLimits = {
  name: { most: MAX_NAME, isLine: true },
  company: { most: MAX_COMPANY, isLine: true },
  tax_exempt_reason: { most: MAX_TAX_EXEMPT_REASON, isLine: true },
};

export type CustomerRecord = {
  line: number;
  warnings: RowFailure[];
  email: string;
  sent: Record<string, unknown>;
  shown: z.output<typeof Shown>;
};

/** Splits a record into its parts, or returns what is wrong with it. */
export function toCustomerRecord({
  line,
  fields = {},
  failures,
}: ImportRecord): CustomerRecord | { failures: RowFailure[] } {
  if (failures) return { failures };
  const { fields: input, warnings } = fitted(line, inSmallLetters(fields, ["role"]), TEXT_LIMITS);
  const shown = Shown.safeParse(input);
  const email = customerFields.email.schema.safeParse(input.email);
  if (!shown.success) return { failures: failuresOf(line, shown.error.issues, input) };
  if (!email.success) {
    const [issue] = email.error.issues;
    return { failures: [{ line, field: "email", code: "invalid_format", message: issue?.message ?? "is required" }] };
  }
  const sent: Record<string, unknown> = { ...input, email: email.data };
  for (const name of Object.keys(Shown.shape)) delete sent[name];
  return { line, warnings, email: email.data, sent, shown: shown.data };
}
