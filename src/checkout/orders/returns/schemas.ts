import * as z from "zod";
import {
  changesSomething,
  coded,
  Id,
  IdText,
  line,
  MAX_LINES,
  Quantity,
  Text,
  Timestamp,
} from "../../../domain/fields.ts";
import { Amount, Money, toDecimal } from "../../../domain/money.ts";
import { type OptionValue, OptionValues } from "../../../domain/option-values.ts";
import { toRecord } from "../../../domain/record.ts";
import { returnRequesters, returnStatuses, type returns } from "../../../platform/db/schema.ts";
import { pageFields } from "../../../platform/http/pagination.ts";
import { tracking, WebLink } from "../shipments/schemas.ts";

type ReturnLine = {
  id: number;
  name: string;
  optionValues: OptionValue[];
  quantity: number;
  intact: number | null;
  damaged: number | null;
  downloadsUsed: number;
};

export type ReturnRow = typeof returns.$inferSelect & {
  order: { number: string; currency: string };
  items: ReturnLine[];
  refund: { amount: number } | null;
};

export const Return = z
  .object({
    id: z.int(),
    order_id: z.int(),
    order_number: z.string(),
    status: z
      .enum(returnStatuses)
      .describe(
        "`settled` returns are refunded. Returns of an order that is cancelled or refunded as a whole become settled too",
      ),
    requested_by: z
      .enum(returnRequesters)
      .describe("`withdrawal`: the buyer declared withdrawal from the contract, which needs no reason"),
    reason: z.string().nullable(),
    withdrawal: z
      .object({ name: z.string(), email: z.string(), items: z.string().nullable() })
      .nullable()
      .describe("The declaration of withdrawal as written. `items` is null for the whole order"),
    late: z.boolean().describe("True for a withdrawal that was declared after its period"),
    decline_reason: z.string().nullable(),
    instructions: z.string().nullable().describe("Where and how the buyer sends the goods"),
    label_url: z.string().nullable().describe("Address of a shipping label for the buyer"),
    carrier: z.string().nullable(),
    tracking_number: z.string().nullable(),
    tracking_url: z.string().nullable(),
    items: z.array(
      z.object({
        id: z.int().describe("Id of the line item"),
        name: z.string(),
        option_values: OptionValues,
        quantity: z.int(),
        intact: z.int().nullable().describe("Units that arrived in good condition. Null before the goods arrive"),
        damaged: z.int().nullable().describe("Units that arrived damaged. Null before the goods arrive"),
        downloads_used: z.int().describe("Downloads of the line item's files so far"),
      }),
    ),
    refunded_amount: Money.nullable().describe("Amount of the refund that settled the return. Null without a refund"),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "Return" });

export const toReturn = (row: ReturnRow): z.output<typeof Return> =>
  toRecord(Return, row, {
    order_number: row.order.number,
    items: row.items.map(({ optionValues, downloadsUsed, ...item }) => ({
      ...item,
      option_values: optionValues,
      downloads_used: downloadsUsed,
    })),
    refunded_amount: row.refund && toDecimal(row.refund.amount, row.order.currency),
  });

const filters = { order_id: IdText.optional(), status: z.enum(returnStatuses).optional() };

export const MyReturnsQuery = z.strictObject({ ...pageFields, ...filters });
export type MyReturnsQuery = z.output<typeof MyReturnsQuery>;

export const ReturnsQuery = z.strictObject({
  ...pageFields,
  ...filters,
  requested_by: z.enum(returnRequesters).optional(),
});
export type ReturnsQuery = z.output<typeof ReturnsQuery>;

const Reason = line(500);

export const ReturnedItems = z
  .array(z.strictObject({ id: Id, quantity: Quantity }))
  .min(1)
  .max(MAX_LINES)
  .optional()
  .describe("Line items and quantities to return. Defaults to all units that can be returned");

export const ReturnRequest = z
  .strictObject({ items: ReturnedItems, reason: Reason.optional() })
  .meta({ id: "ReturnRequest" });
export type ReturnRequest = z.output<typeof ReturnRequest>;

const shipping = {
  instructions: Text.max(2_000).nullable(),
  label_url: WebLink.nullable(),
  carrier: tracking.carrier.nullable(),
  tracking_number: tracking.tracking_number,
  tracking_url: WebLink.nullable(),
};

export const ReturnCreate = z
  .strictObject({
    ...ReturnRequest.shape,
    instructions: shipping.instructions.default(null),
    label_url: shipping.label_url.default(null),
  })
  .meta({ id: "ReturnCreate" });
export type ReturnCreate = z.output<typeof ReturnCreate>;

/** Maximum count of units in one condition. */
const Count = z.int().min(0).max(1_000);

export const ReturnUpdate = z
  .strictObject({
    status: z
      .enum(["approved", "in_transit", "received", "declined"])
      .describe("Returns 409 with the allowed statuses if the return cannot move there"),
    decline_reason: Reason.describe("Required with `status: declined`. The buyer reads it"),
    ...shipping,
    items: z
      .array(z.strictObject({ id: Id, intact: Count, damaged: Count.default(0) }))
      .min(1)
      .max(MAX_LINES)
      .describe("Units that arrived, by condition. With `status: received`, defaults to all units, intact"),
  })
  .partial()
  .refine(...changesSomething)
  .refine(({ status, decline_reason }) => (status === "declined") === (decline_reason !== undefined), {
    path: ["decline_reason"],
    error: "is required to decline a return, and only then",
    ...coded("required"),
  })
  .meta({ id: "ReturnUpdate", description: "Fields that are not sent keep their values" });
export type ReturnUpdate = z.output<typeof ReturnUpdate>;

export const ReturnSettlement = z
  .strictObject({
    deduction: Amount.exactOptional().describe("Amount kept for damage"),
    shipping: z
      .boolean()
      .optional()
      .describe("True to refund shipping. Defaults to refunding shipping together with the last units"),
    note: Reason.optional(),
  })
  .meta({ id: "ReturnSettlement" });
export type ReturnSettlement = z.output<typeof ReturnSettlement>;
