import * as z from "zod";
import { line } from "../../domain/fields.ts";
import { declareFields } from "../../platform/administration/fields.ts";
import type { webhookEndpoints } from "../../platform/db/schema.ts";
import { typePatterns } from "./types.ts";

/** In the order of the vocabulary, each once, however they are sent. */
const Types = z
  .array(z.enum(typePatterns))
  .max(100)
  .transform((sent) => typePatterns.filter((name) => sent.includes(name)))
  .describe("Types of events, `order.*` for all of a noun, `*` for all; of none, tests alone arrive");

export type WebhookState = Pick<typeof webhookEndpoints.$inferSelect, "url" | "types" | "description" | "enabled">;

/** The fields of an endpoint that administrators edit. */
export const webhookFields = declareFields<WebhookState>()({
  url: {
    column: "url",
    schema: line(2_000).describe("https, and neither a private address nor one of this shop"),
  },
  types: { column: "types", schema: Types },
  description: { column: "description", schema: line(200).nullable(), initial: null },
  enabled: { column: "enabled", schema: z.boolean(), initial: true },
});
