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
