import type { DiscountRow } from "./fields.ts";

/** States of a discount. All except `active` say why it does not apply. */
export const discountStates = ["active", "scheduled", "ended", "used_up", "disabled"] as const;
export type DiscountStatus = (typeof discountStates)[number];

type Facts = Pick<DiscountRow, "enabled" | "startsAt" | "endsAt" | "maxUses" | "uses">;

export function discountStatus({ enabled, startsAt, endsAt, maxUses, uses }: Facts, now: number): DiscountStatus {
  if (!enabled) return "disabled";
  if (endsAt !== null && endsAt <= now) return "ended";
  if (startsAt !== null && startsAt > now) return "scheduled";
  return maxUses !== null && uses >= maxUses ? "used_up" : "active";
}
