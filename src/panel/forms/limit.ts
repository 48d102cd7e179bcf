import { createMiddleware } from "hono/factory";
import { jsonLimit } from "../../platform/http/body-parsing.ts";

const OF_FILES = /^(multipart\/form-data|application\/octet-stream)/i;

/** A form is at most as large as an API request; forms with files limit themselves. */
export const formLimit = createMiddleware((c, next) =>
  OF_FILES.test(c.req.header("Content-Type") ?? "") ? next() : jsonLimit(c, next),
);
