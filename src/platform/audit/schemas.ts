import * as z from "zod";
import { IdText, oneSpan, spanFields, Timestamp } from "../../domain/fields.ts";
import { toRecord } from "../../domain/record.ts";
import type { auditLog } from "../db/schema.ts";
import { pageFields } from "../http/pagination.ts";

export const subjects = [
  "api_key",
  "app",
  "category",
  "discount",
  "draft_order",
  "email_switch",
  "email_text",
  "feed",
  "file",
  "gift_card",
  "image",
  "job",
  "license_key",
  "order",
  "package",
  "page",
  "payment_account",
  "payment_settings",
  "product",
  "saved_view",
  "shipping_method",
  "shipping_zone",
  "shop",
  "staff_invitation",
  "tax_rate",
  "user",
  "webhook",
] as const;

/** Filters of the audit log. */
export const auditFilters = {
  actor: z
    .string()
    .regex(/^(system|anonymous|(user|api_key):\d{1,16})$/, "must be user:<id>, api_key:<id>, anonymous or system")
    .optional()
    .describe(
      "Author of the change: `user:7`, `api_key:3`, `system` for deployment commands, or `anonymous` for failed sign-ins",
    ),
  subject: z.enum(subjects).optional(),
  subject_id: IdText.optional(),
  ...spanFields,
};

export const AuditQuery = z.strictObject({ ...pageFields, ...auditFilters }).refine(...oneSpan);
export type AuditQuery = z.output<typeof AuditQuery>;
export type AuditFilters = Omit<AuditQuery, keyof typeof pageFields>;

export type AuditRow = typeof auditLog.$inferSelect & { actorName: string | null };

const Fields = z.record(z.string(), z.unknown());

export const AuditEntry = z
  .object({
    id: z.int(),
    at: Timestamp,
    actor: z.string(),
    actor_name: z.string().nullable(),
    address: z.string().nullable().describe("IP address of the request. Null for deployment commands"),
    action: z.string(),
    subject: z.string(),
    subject_id: z.int(),
    before: Fields.nullable().describe(
      "Changed fields before the change, named as in requests. Null if the resource was created",
    ),
    after: Fields.nullable().describe(
      "Changed fields after the change, named as in requests. Null if the resource was deleted",
    ),
    request_id: z.string(),
  })
  .meta({ id: "AuditEntry" });

export const toAuditEntry = (row: AuditRow): z.output<typeof AuditEntry> => toRecord(AuditEntry, row, {});
