import * as z from "zod";
import { type EventType, eventTypeNames } from "../../domain/event-types.ts";
import { line } from "../../domain/fields.ts";
import { declareFields } from "../../platform/administration/fields.ts";
import type { webhookEndpoints } from "../../platform/db/schema.ts";

const nounOf = (type: string): string => type.slice(0, type.indexOf("."));

/** What an endpoint may be sent. A test is sent to the one that it is asked for, whatever it is subscribed to. */
const subscribable = eventTypeNames.filter((type) => type !== "webhook.test");

/** The types of each noun, and what stands for all of them. */
export const patternsByNoun = [...new Set(subscribable.map(nounOf))].map((noun) => ({
  noun,
  all: `${noun}.*`,
  types: subscribable.filter((type) => nounOf(type) === noun),
}));

/** What endpoints subscribe to: all there is, all of a noun, or a type. */
export const typePatterns = ["*", ...patternsByNoun.flatMap(({ all, types }) => [all, ...types])];

/** In the order of the vocabulary, each once, however they are sent. */
const Types = z
  .array(z.enum(typePatterns))
  .max(100)
  .transform((sent) => typePatterns.filter((name) => sent.includes(name)))
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

/** The types that an endpoint with these patterns is sent. */
export const typesSentTo = (patterns: readonly string[]): EventType[] => [...typesOf(patterns), "webhook.test"];

/** The types that the patterns stand for, those that come later included. */
export const typesOf = (patterns: readonly string[]): EventType[] =>
  subscribable.filter((type) => [type, `${nounOf(type)}.*`, "*"].some((pattern) => patterns.includes(pattern)));
