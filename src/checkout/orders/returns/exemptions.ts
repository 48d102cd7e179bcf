import { sql } from "drizzle-orm";
import { withdrawalRules } from "../../../platform/db/schema.ts";

/** A line's right of withdrawal: its product's, or none for a download that began with the buyer's consent. */
export const lineWithdrawals = [...withdrawalRules, "download_begun"] as const;
export type LineWithdrawal = (typeof lineWithdrawals)[number];

/** The right of withdrawal of a line of `orders`. An order without consent does not read its downloads. */
export const lineWithdrawal = sql.raw(`iif(orders.download_consent AND EXISTS (
  SELECT 1 FROM used_downloads WHERE order_item_id = order_items.id
), 'download_begun', order_items.withdrawal)`);

/** Why buyers can neither withdraw from a line nor return it, in words that follow "because it is". */
const reasons = {
  personalized: "made to your specifications",
  perishable: "perishable",
  periodical: "a newspaper or periodical",
  dated_service: "a service on a fixed date",
  download_begun: "a download that began with your consent",
} as const satisfies Record<Exclude<LineWithdrawal, "standard" | "sealed">, string>;

/** The reason of an exempt line, in a sentence's words. Undefined for lines that can be returned. */
export const withdrawalExemption = (withdrawal: LineWithdrawal) =>
  withdrawal === "standard" || withdrawal === "sealed" ? undefined : reasons[withdrawal];
