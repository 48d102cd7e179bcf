import * as z from "zod";
import { type EventType, eventTypeNames } from "../../domain/event-types.ts";
import { line } from "../../domain/fields.ts";
import { declareFields } from "../../platform/administration/fields.ts";
import type { webhookEndpoints } from "../../platform/db/schema.ts";

const nounOf = (type: string): string => type.slice(0, type.indexOf("."));

/** Types that endpoints can subscribe to. A test goes to the endpoint it was requested for, whatever its subscriptions. */
const subscribable = eventTypeNames.filter((type) => type !== "webhook.test");

/** Event types by noun, with the wildcard for each. */
export const patternsByNoun = [...new Set(subscribable.map(nounOf))].map((noun) => ({
  noun,
  all: `${noun}.*`,
  types: subscribable.filter((type) => nounOf(type) === noun),
}));

/** Subscription patterns: everything, all types of a noun, or one type. */
export const typePatterns = ["*", ...patternsByNoun.flatMap(({ all, types }) => [all, ...types])];

/** True if a pattern of the list includes the type or another pattern. */
const isIncluded = (name: string, patterns: readonly string[]): boolean =>
  ["*", `${nounOf(name)}.*`].some((pattern) => pattern !== name && patterns.includes(pattern));

/** Patterns with everything that they include. */
export const withIncluded = (patterns: readonly string[]): string[] =>
  typePatterns.filter((name) => patterns.includes(name) || isIncluded(name, patterns));

/**
 * Types in the order of the vocabulary, without duplicates and without those included in a wildcard, in any order sent.
 */
const Types = z
  .array(z.enum(typePatterns))
  .max(100)
  .transform((sent) => typePatterns.filter((name) => sent.includes(name) && !isIncluded(name, sent)))
  .describe(
    "Event types to deliver. `order.*` selects all types of a resource, `*` all types. An empty list delivers test events only",
  );

export type WebhookState = Pick<typeof webhookEndpoints.$inferSelect, "url" | "types" | "description" | "enabled">;

/** The fields of an endpoint that administrators edit. */
export const webhookFields = declareFields<WebhookState>()({
  url: {
    column: "url",
    schema: line(2_000).describe("An https address. Private addresses and addresses of this shop are rejected"),
  },
  types: { column: "types", schema: Types },
  description: { column: "description", schema: line(200).nullable(), initial: null },
  enabled: { column: "enabled", schema: z.boolean(), initial: true },
});

/** Returns the types sent to an endpoint with these patterns. */
export const typesSentTo = (patterns: readonly string[]): EventType[] => [...typesOf(patterns), "webhook.test"];

/** Expands patterns into event types. Wildcards include types added later. */
export const typesOf = (patterns: readonly string[]): EventType[] =>
  subscribable.filter((type) => [type, `${nounOf(type)}.*`, "*"].some((pattern) => patterns.includes(pattern)));
