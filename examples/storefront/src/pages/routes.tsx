import { Hono } from "hono";
import { raw } from "hono/html";
import type { AppEnv } from "../env.ts";
import { page } from "../page.tsx";
import { Day } from "../parts/day.tsx";

/** The shop's own pages. An order links to the version that its buyer accepted. */
export const shopPages = new Hono<AppEnv>().get("/pages/:slug", async (c) => {
  const version = Number(c.req.query("version"));
  // A slug that the API does not know is refused, and shown as not found.
  const path = { slug: c.req.param("slug") as "terms" };
  const { data } = await c.var.shop.GET("/api/v1/user/pages/{slug}", {
    params: { path, query: version > 0 ? { version } : {} },
  });
  return page(
    c,
    data.title,
    <article class="panel" lang={data.language}>
      <h1>{data.title}</h1>
      {raw(data.text_html)}
      <p class="quiet">
        <Day at={data.updated_at} />
      </p>
    </article>,
  );
});
