import { type EventType, eventTypeNames } from "../../domain/event-types.ts";

/** What an endpoint may be sent. A test is sent to the one that it is asked for, whatever it is subscribed to. */
const subscribable = eventTypeNames.filter((type) => type !== "webhook.test");

const nounOf = (type: string): string => type.slice(0, type.indexOf("."));

/** The types of each noun, and what stands for all of them. */
export const patternsByNoun = [...new Set(subscribable.map(nounOf))].map((noun) => ({
  noun,
  all: `${noun}.*`,
  types: subscribable.filter((type) => nounOf(type) === noun),
}));

/** What endpoints subscribe to: all there is, all of a noun, or a type. */
export const typePatterns = ["*", ...patternsByNoun.flatMap(({ all, types }) => [all, ...types])];

/** The types that an endpoint with these patterns is sent. */
export const typesSentTo = (patterns: readonly string[]): EventType[] => [...typesOf(patterns), "webhook.test"];

/** The types that the patterns stand for, those that come later included. */
export const typesOf = (patterns: readonly string[]): EventType[] =>
  subscribable.filter((type) => [type, `${nounOf(type)}.*`, "*"].some((pattern) => patterns.includes(pattern)));
