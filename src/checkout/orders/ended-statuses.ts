import type { orderStatuses } from "../../platform/db/schema.ts";

/** Statuses of an order that came to nothing. Another order of the same things does not repeat it. */
export const endedStatuses = ["cancelled", "expired", "refunded"] as const satisfies (typeof orderStatuses)[number][];
