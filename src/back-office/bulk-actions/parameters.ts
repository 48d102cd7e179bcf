import * as z from "zod";
import { SENT } from "../../checkout/orders/public.ts";
import { productStatuses } from "../../platform/db/schema.ts";

// Parameters of the jobs that carry out bulk actions.

export const ChangeProducts = z.object({
  ids: z.array(z.int()),
  /** Variants of selected products, which only their price change applies to. */
  onlyPriced: z.array(z.int()).default([]),
  status: z.enum(productStatuses).optional(),
  categoryId: z.int().nullable().optional(),
  addTags: z.array(z.string()).optional(),
  removeTags: z.array(z.string()).optional(),
  price: z.object({ millionths: z.int(), compareAt: z.enum(["keep", "previous", "none"]) }).optional(),
});
export type ChangeProducts = z.output<typeof ChangeProducts>;

export const AdjustStock = z.object({
  ids: z.array(z.int()),
  delta: z.int().optional(),
  quantity: z.int().optional(),
  reason: z.string(),
});
export type AdjustStock = z.output<typeof AdjustStock>;

export const ChangeCustomers = z.object({
  ids: z.array(z.int()),
  addTags: z.array(z.string()).optional(),
  removeTags: z.array(z.string()).optional(),
});
export type ChangeCustomers = z.output<typeof ChangeCustomers>;

/** `scope` is the author's access at the time the job was created. */
export const ChangeOrders = z.object({
  ids: z.array(z.int()),
  change: z.object({
    payment_status: z.literal("paid").optional(),
    status: z.literal(SENT).optional(),
    shipment: z.object({ carrier: z.string() }).optional(),
    addTags: z.array(z.string()).optional(),
    removeTags: z.array(z.string()).optional(),
  }),
  note: z.string().nullable(),
  scope: z.enum(["everybody", "customers"]),
});
export type ChangeOrders = z.output<typeof ChangeOrders>;
