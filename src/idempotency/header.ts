import * as z from "zod";
import { documented } from "../http/fields.ts";

/** `Idempotency-Key` of a request that moves money or stock: bare, or quoted as its draft RFC has it. */
export const IdempotencyHeaders = z.object({
  "idempotency-key": z
    .string()
    .transform((text) => text.replace(/^"(.*)"$/, "$1"))
    .pipe(z.string().regex(/^[\x20-\x7e]{1,255}$/, "must be 1 to 255 printable ASCII characters"))
    .meta(documented({ type: "string", pattern: "^[\\x20-\\x7e]{1,255}$" }))
    .optional()
    .describe("Sent again with it within 24 hours, the same request is answered as it was, and nothing is done twice"),
});
export type IdempotencyHeaders = z.output<typeof IdempotencyHeaders>;
