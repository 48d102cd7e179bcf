import { createMiddleware } from "hono/factory";
import { jsonLimit } from "../../http/manners.ts";

/** A form is no larger than what the API takes; one with files in it is limited by who reads it. */
export const formLimit = createMiddleware((c, next) =>
  c.req.header("Content-Type")?.toLowerCase().startsWith("multipart/form-data") ? next() : jsonLimit(c, next),
);
