import type { EventType } from "../../../domain/event-types.ts";

export const deliveryStates = ["pending", "succeeded", "failed"] as const;
type DeliveryState = (typeof deliveryStates)[number];

/** Id of a webhook, or the URL of an agent's profile. SQLite keeps the latter as text in an integer column. */
export type EndpointId = number | string;

/** An event in the form in which it is delivered to an endpoint. */
export type NewDelivery = { eventId: number; type: EventType; subject: string; body: string };

/** A delivery that is due. */
export type Due = { id: number; event_id: number; body: string };

/** Deliveries as an endpoint's object returns them, which may run another version than the Worker that asks. */
export type StoredDeliveries = {
  rows: DeliveryRow[];
  totalItems: number;
  totalIsExact: boolean;
  /** Query parameters of the next rows, for a list from a cursor. Null if there are none yet. */
  next?: { after_id: string } | null;
};

/** One request to the endpoint and its outcome. `error` is the reason for a failure, null on success. */
export type Attempt = {
  at: number;
  durationMs: number;
  status: number | null;
  error: string | null;
  /** Start of the response body. */
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
  /** JSON that is sent to a webhook, or the reference of the order that is read for each message to an agent. */
  body: string;
  state: DeliveryState;
  due_at: number | null;
  created_at: number;
  attempts: AttemptRow[];
};

/** Delivery state of an endpoint. */
export type EndpointHealth = {
  /** Time of the first failure since the last success. Null if the last attempt succeeded. */
  failingSince: number | null;
  lastError: string | null;
  /** Number of pending deliveries, at most 1,000. */
  pending: number;
  /** Time since which pending deliveries are late: the first failure, or the time at which the next one was due. */
  lateSince: number | null;
};

/** Period of events to send to the endpoint again. */
export type NewReplay = {
  id: string;
  types: string[];
  from: number;
  to: number;
  /** Id of an event before all events of the replay. */
  afterId: number;
  /** Initial value of the endpoint's cursor. */
  startsAfter: number;
};
