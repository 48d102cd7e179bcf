import { createMiddleware } from "hono/factory";
import { jsonLimit } from "../../platform/http/body-parsing.ts";

const OF_FILES = /^(multipart\/form-data|application\/octet-stream)/i;

/** A form is no larger than what the API takes; one with files in it, and a part of a file, are limited by who reads them. */
export const formLimit = createMiddleware((c, next) =>
  OF_FILES.test(c.req.header("Content-Type") ?? "") ? next() : jsonLimit(c, next),
);
