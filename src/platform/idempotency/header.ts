import { createMiddleware } from "hono/factory";
import * as z from "zod";
import { documented } from "../../domain/fields.ts";
import type { AppEnv } from "../auth/app-env.ts";
import { describeRoute } from "../http/route-description.ts";
import { valid } from "../http/validate.ts";

/** Bare, or quoted as its draft RFC has it. */
const IdempotencyHeaders = z.object({
  "idempotency-key": z
    .string()
    .transform((text) => text.replace(/^"(.*)"$/, "$1"))
    .pipe(z.string().regex(/^[\x20-\x7e]{1,255}$/, "must be 1 to 255 printable ASCII characters"))
    .meta(documented({ type: "string", pattern: "^[\\x20-\\x7e]{1,255}$" }))
    .optional()
    .describe(
      "A unique value, such as a UUID. Repeating the same request with it within 24 hours returns the first response and does nothing twice",
    ),
});

/** Reads the `Idempotency-Key` of a route that creates or changes something, for `once`. */
export const idempotent = describeRoute(
  createMiddleware<AppEnv & { Variables: { idempotencyKey: string | undefined } }>(async (c, next) => {
    const sent = { "idempotency-key": c.req.header("Idempotency-Key") };
    c.set("idempotencyKey", valid(IdempotencyHeaders, sent)["idempotency-key"]);
    await next();
  }),
  { reads: { target: "header", schema: IdempotencyHeaders }, idempotent: true },
);
