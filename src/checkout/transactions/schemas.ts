import * as z from "zod";
import { IdText } from "../../domain/fields.ts";
import { paymentMethods } from "../../domain/payment-methods.ts";
import { oneSpan, spanFields } from "../../domain/span.ts";
import { transactionKinds } from "../../platform/db/schema.ts";
import { cursorFields, withoutPages } from "../../platform/http/cursor.ts";
import { pageFields } from "../../platform/http/pagination.ts";

/** How administrators narrow all transactions. */
export const transactionFilters = {
  user_id: IdText.optional(),
  order_id: IdText.optional(),
  kind: z.enum(transactionKinds).optional(),
  method: z.enum(paymentMethods).optional(),
  ...spanFields,
};

export const TransactionsQuery = z
  .strictObject({ ...pageFields, ...cursorFields, ...transactionFilters })
  .refine(...withoutPages)
  .refine(...oneSpan);
export type TransactionsQuery = z.output<typeof TransactionsQuery>;
export type TransactionFilters = Omit<TransactionsQuery, keyof typeof pageFields | keyof typeof cursorFields>;
