import * as z from "zod";
import { transactionKinds, type transactions } from "../db/schema.ts";
import { IdText, Moment } from "../domain/fields.ts";
import { paymentMethods } from "../domain/payment-methods.ts";
import { cursorFields, withoutPages } from "../http/cursor.ts";
import { pageFields } from "../http/pagination.ts";

/** A transaction with the number of the order that it is of. */
export type ListedTransaction = typeof transactions.$inferSelect & { orderNumber: string | null };

/** How administrators narrow the list of all transactions. */
export const TransactionsQuery = z
  .strictObject({
    ...pageFields,
    ...cursorFields,
    user_id: IdText.optional(),
    order_id: IdText.optional(),
    kind: z.enum(transactionKinds).optional(),
    method: z.enum(paymentMethods).optional(),
    from: Moment.optional(),
    to: Moment.optional(),
  })
  .refine(...withoutPages);
export type TransactionsQuery = z.output<typeof TransactionsQuery>;
