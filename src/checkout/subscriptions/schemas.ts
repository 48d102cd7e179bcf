import * as z from "zod";
import { IdText, Timestamp } from "../../domain/fields.ts";
import { toRecord } from "../../domain/record.ts";
import { renewalIntervals, type subscriptions } from "../../platform/db/schema.ts";
import { pageFields } from "../../platform/http/pagination.ts";

export const subscriptionStatuses = ["active", "past_due", "cancelled"] as const;

export const Subscription = z
  .object({
    id: z.int(),
    status: z.enum(subscriptionStatuses).describe("`past_due` while a renewal is not paid. Access then ends soon"),
    product: z.object({ id: z.int(), name: z.string() }),
    renews: z.enum(renewalIntervals).nullable().describe("Interval of the product. Null if it no longer renews"),
    order_ids: z.array(z.int()).describe("Orders of the paid periods, oldest first"),
    user_id: z.int().nullable().describe("Null for a guest"),
    current_period_end: Timestamp,
    cancels_at: Timestamp.nullable().describe("Time at which it ends or ended. Null if it renews"),
    cancelled_at: Timestamp.nullable().describe("Time at which it was cancelled. Null if it renews"),
    ended_at: Timestamp.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "Subscription", description: "Recurring payments for a renewing product" });

export type SubscriptionRow = typeof subscriptions.$inferSelect &
  Pick<z.output<typeof Subscription>, "product" | "renews"> & {
    userId: number | null;
    orderIds: number[];
    orderReference: string;
  };

export const toSubscription = (row: SubscriptionRow): z.output<typeof Subscription> =>
  toRecord(Subscription, row, { status: subscriptionStatus(row) });

export const subscriptionStatus = ({ endedAt, pastDue }: SubscriptionRow): (typeof subscriptionStatuses)[number] => {
  if (endedAt !== null) return "cancelled";
  return pastDue ? "past_due" : "active";
};

export const MySubscriptionsQuery = z.strictObject({ ...pageFields, order_id: IdText.optional() });

export type MySubscriptionsQuery = z.output<typeof MySubscriptionsQuery>;

export const SubscriptionsQuery = MySubscriptionsQuery.extend({
  user_id: IdText.optional(),
  status: z.enum(subscriptionStatuses).optional(),
});
export type SubscriptionsQuery = z.output<typeof SubscriptionsQuery>;

export const SubscriptionPortal = z
  .object({ url: z.url().describe("Page of the payment provider, valid for a short time") })
  .meta({ id: "SubscriptionPortal" });

export const SubscriptionCancellation = z
  .strictObject({
    at_period_end: z.boolean().default(true).describe("False to end it and its access at once"),
  })
  .meta({ id: "SubscriptionCancellation" });
