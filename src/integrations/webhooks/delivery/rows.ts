import type { EventType } from "../../../domain/event-types.ts";

export const deliveryStates = ["pending", "succeeded", "failed"] as const;
type DeliveryState = (typeof deliveryStates)[number];

/** An event as an endpoint gets it. */
export type NewDelivery = { eventId: number; type: EventType; subject: string; body: string };

/** A delivery that is due. */
export type Due = { id: number; event_id: number; body: string };

/** One request to the endpoint, and what came of it: `error` says why it failed, null if it succeeded. */
export type Attempt = {
  at: number;
  durationMs: number;
  status: number | null;
  error: string | null;
  /** The beginning of the answer. */
  answer: string | null;
  retryAfter: string | null;
};

type AttemptRow = {
  at: number;
  duration_ms: number;
  status: number | null;
  error: string | null;
  answer: string | null;
};

/** A delivery as administrators see it. */
export type DeliveryRow = {
  id: number;
  event_id: number;
  type: EventType;
  subject: string;
  state: DeliveryState;
  due_at: number | null;
  created_at: number;
  attempts: AttemptRow[];
};

/** Events of some time that the endpoint is to get once more. */
export type NewReplay = {
  id: string;
  types: string[];
  from: number;
  to: number;
  /** An event before all of them. */
  afterId: number;
  /** What the endpoint's cursor begins with. */
  startsAfter: number;
};
