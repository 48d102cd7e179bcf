import { escapeUTF8 } from "entities/escape";
import { failure } from "../platform/http/envelope.ts";
import { newApp } from "./new-app.ts";

/** Placeholder in the reference's pages for the address at which they are served. */
const ORIGIN = "{origin}";

/** The reference for developers: static pages whose code calls this deployment. */
export const reference = newApp(failure);

reference.get("/docs/*", async (c) => {
  const page = await c.env.ASSETS.fetch(c.req.raw);
  if (page.status === 404) return c.notFound();
  if (!page.body || !page.headers.get("Content-Type")?.startsWith("text/html")) return new Response(null, page);
  const { origin } = new URL(c.req.url);
  const address = escapeUTF8(origin);
  return new Response(
    (await page.text()).replaceAll(ORIGIN, () => address),
    page,
  );
});
