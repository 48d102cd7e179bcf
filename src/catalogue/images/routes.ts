import { Hono } from "hono";
import * as z from "zod";
import type { AppEnv } from "../../platform/auth/gates.ts";
import { validate } from "../../platform/http/validate.ts";
import { imageWidths } from "./address.ts";
import { serveImage } from "./serve.ts";

const widthWords = `must be one of ${imageWidths.join(", ")}`;

const ImageQuery = z.strictObject({
  width: z
    .enum(imageWidths.map(String), widthWords)
    .transform((text) => imageWidths.find((width) => String(width) === text))
    .optional(),
});

/** Serves uploaded images publicly. */
export const imageRoutes = new Hono<AppEnv>().get("/:name", validate("query", ImageQuery), async (c) =>
  serveImage(c, c.req.param("name"), c.req.valid("query").width),
);
