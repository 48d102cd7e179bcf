import type { DiscountStatus } from "../../checkout/discounts/state.ts";
import type { PackageStatus } from "../../downloads/packages/schemas.ts";
import type { keyStates } from "../../integrations/api-keys/admin-schemas.ts";
import type {
  emailStates,
  fulfillmentStatuses,
  jobStates,
  orderStatuses,
  paymentStatuses,
  productStatuses,
} from "../../platform/db/schema.ts";

type Status =
  | (
      | typeof orderStatuses
      | typeof paymentStatuses
      | typeof fulfillmentStatuses
      | typeof productStatuses
      | typeof emailStates
      | typeof jobStates
    )[number]
  | (typeof keyStates)[number]
  | PackageStatus
  | DiscountStatus
  | "published";

type Tone = "good" | "busy" | "bad" | "calm";

const tones: Record<string, Tone> = {
  active: "good",
  completed: "good",
  fulfilled: "good",
  paid: "good",
  published: "good",
  sent: "good",
  processing: "busy",
  queued: "busy",
  running: "busy",
  pending: "busy",
  sending: "busy",
  scheduled: "busy",
  waiting: "busy",
  requires_action: "busy",
  shipped: "busy",
  unfulfilled: "busy",
  partially_fulfilled: "busy",
  unpaid: "busy",
  expired: "bad",
  exhausted: "bad",
  failed: "bad",
  disabled: "bad",
  revoked: "bad",
} satisfies Partial<Record<Status, Tone>>;

/** A status by its API name. Statuses without a tone are neutral. */
export const Badge = ({ status, tone = tones[status] ?? "calm" }: { status: string; tone?: Tone }) => (
  <span class={`badge ${tone}`}>{status.replaceAll("_", " ")}</span>
);
