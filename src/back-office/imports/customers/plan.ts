import { inArray, sql } from "drizzle-orm";
import * as z from "zod";
import {
  exemptionError,
  MAX_COMPANY,
  MAX_NAME,
  MAX_TAX_EXEMPT_REASON,
  userFields,
} from "../../../accounts/users/public.ts";
import { reservedDomainError } from "../../../domain/contact.ts";
import type { FieldError } from "../../../domain/errors.ts";
import { Moment } from "../../../domain/fields.ts";
import { auditedState, changeShape, newRow, newShape, toColumns } from "../../../platform/administration/fields.ts";
import { difference } from "../../../platform/audit/audit.ts";
import type { Author } from "../../../platform/auth/caller.ts";
import type { Database } from "../../../platform/db/client.ts";
import { users } from "../../../platform/db/schema.ts";
import { merge } from "../../../platform/db/statements.ts";
import type { RowFailure } from "../../../platform/jobs/run-slice.ts";
import type { Settings } from "../../../platform/settings/settings.ts";
import { ImportedId, type ImportRecord } from "../reading/record.ts";
import {
  failuresOf,
  fitted,
  inSmallLetters,
  selectSpelling,
  type TagSpelling,
  type TextLimits,
  tagSpelling,
  withSpelledTags,
} from "../record-fields.ts";

const { role: _role, disabled: _disabled, ...imported } = userFields;

/** The fields that an import may write. Permissions and passwords are excluded. */
export const customerFields = imported;

const NewCustomer = z.strictObject({
  ...newShape(customerFields),
  tax_exempt_reason: customerFields.tax_exempt_reason.schema.default(null),
});
const CustomerChange = z.strictObject(changeShape(customerFields)).partial();

/** Fields of an account in responses that an import may not write. */
const CustomerPreview = z.object({
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
  shown: z.output<typeof CustomerPreview>;
};

/** Splits a record into its parts, or returns what is wrong with it. */
export function toCustomerRecord({
  line,
  fields = {},
  failures,
}: ImportRecord): CustomerRecord | { failures: RowFailure[] } {
  if (failures) return { failures };
  const { fields: input, warnings } = fitted(line, inSmallLetters(fields, ["role"]), TEXT_LIMITS);
  const shown = CustomerPreview.safeParse(input);
  const email = customerFields.email.schema.safeParse(input.email);
  if (!shown.success) return { failures: failuresOf(line, shown.error.issues, input) };
  if (!email.success) {
    const [issue] = email.error.issues;
    return { failures: [{ line, field: "email", code: "invalid_format", message: issue?.message ?? "is required" }] };
  }
  const sent: Record<string, unknown> = { ...input, email: email.data };
  for (const name of Object.keys(CustomerPreview.shape)) delete sent[name];
  return { line, warnings, email: email.data, sent, shown: shown.data };
}

type Dates = { createdAt: number; updatedAt: number; disabledAt: number | null };
export type CreatedCustomer = { line: number; id: number | null; state: CustomerState } & Dates;
export type ChangedCustomer = {
  line: number;
  id: number;
  version: number;
  old: CustomerState;
  state: CustomerState;
} & ReturnType<typeof difference>;

export type CustomerPlan = {
  created: CreatedCustomer[];
  changed: ChangedCustomer[];
  unchanged: number;
  failed: number;
  failures: RowFailure[];
};

/** Plans each record: updates the account with its e-mail address, or creates one. */
export function planCustomers(
  records: CustomerRecord[],
  known: KnownAccounts,
  settings: Settings,
  author: Author,
): CustomerPlan {
  const plan: CustomerPlan = { created: [], changed: [], unchanged: 0, failed: 0, failures: [] };
  for (const each of records) {
    const record = { ...each, sent: withSpelledTags(each.sent, known.spelled) };
    plan.failures.push(...record.warnings);
    const account = known.accounts.get(record.email);
    const problems = account
      ? planChange(plan, record, account, author)
      : planCreation(plan, record, known, settings, author);
    if (problems.length > 0) plan.failed++;
    plan.failures.push(...problems);
  }
  return plan;
}

const rowFailure = (line: number, { field, code, message }: FieldError): RowFailure => ({ line, field, code, message });

function planCreation(
  plan: CustomerPlan,
  { line, email, sent, shown }: CustomerRecord,
  { ids }: KnownAccounts,
  settings: Settings,
  author: Author,
): RowFailure[] {
  const reserved = reservedDomainError(settings, email);
  if (reserved) return [rowFailure(line, reserved)];
  const { data, error } = NewCustomer.safeParse(sent);
  if (error) return failuresOf(line, error.issues, sent);
  const refused = exemptionError(author, { before: null, after: data.tax_exempt_reason });
  if (refused) return [rowFailure(line, refused)];
  const { now } = author;
  const createdAt = Math.min(shown.created_at ?? now, now);
  const updatedAt = Math.max(createdAt, Math.min(shown.updated_at ?? now, now));
  const id = shown.id !== undefined && !ids.has(shown.id) ? shown.id : null;
  if (id !== null) ids.add(id);
  const state = newRow(customerFields, data, {});
  plan.created.push({ line, id, state, createdAt, updatedAt, disabledAt: shown.disabled_at ?? null });
  return [];
}

function planChange(
  plan: CustomerPlan,
  { line, sent }: CustomerRecord,
  account: NonNullable<ReturnType<KnownAccounts["accounts"]["get"]>>,
  author: Author,
) {
  if (account.role !== "customer")
    return [{ line, field: "email", code: "email_taken", message: "belongs to another account" }];
  const { data, error } = CustomerChange.safeParse(sent);
  if (error) return failuresOf(line, error.issues, sent);
  const refused = exemptionError(author, { before: account.taxExemptReason, after: data.tax_exempt_reason });
  if (refused) return [rowFailure(line, refused)];
  const { id, role: _, updatedAt: version, ...old } = account;
  const state = merge(old, toColumns(customerFields, data));
  const states = difference(auditedState(customerFields, old), auditedState(customerFields, state));
  if (Object.keys(states.after ?? {}).length > 0) plan.changed.push({ line, id, version, old, state, ...states });
  else plan.unchanged++;
  return [];
}

const { id, role, updatedAt, name, email, externalId, phone, company, acceptsMarketing, metadata } = users;
const { taxExemptReason, tags } = users;
const state = { name, email, externalId, phone, company, acceptsMarketing, metadata, taxExemptReason, tags };

export type CustomerState = Pick<typeof users.$inferSelect, keyof typeof state>;

type Account = CustomerState & Pick<typeof users.$inferSelect, "id" | "role" | "updatedAt">;

/** `ids` holds the ids of earlier records: the second of two records with one id gets another id. */
type KnownAccounts = { accounts: Map<string, Account>; ids: Set<number>; spelled: TagSpelling };

const listed = (values: unknown[]) => sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;

/** Looks up the accounts named by a slice of records. */
export async function findKnownCustomers(db: Database, records: CustomerRecord[]): Promise<KnownAccounts> {
  const [accounts, [spelling]] = await db.batch([
    db
      .select({ id, role, updatedAt, ...state })
      .from(users)
      .where(inArray(email, listed(records.map((record) => record.email)))),
    selectSpelling(db, records),
  ]);
  return {
    accounts: new Map(accounts.map((account) => [account.email, account])),
    ids: new Set(),
    spelled: tagSpelling(spelling?.tags ?? []),
  };
}
