import { Hono } from "hono";
import * as z from "zod";
import type { AppEnv } from "../env.ts";
import { notFound } from "../problem.tsx";
import { llmsText } from "./llms.ts";
import { categoriesSitemap, productsSitemap, sitemapIndex } from "./sitemap.tsx";

/** Private pages, and lists that repeat parts of the catalogue in another order. */
const PRIVATE = ["/cart", "/checkout", "/account", "/orders", "/downloads", "/sign-in", "/sign-up", "/forgot-password"];
const REPEATED = ["search", "sort", "min_price", "max_price", "in_stock"].map((name) => `/*${name}=`);

const Page = z.coerce.number().int().min(1).max(1e9).catch(1);
const After = z.coerce.number().int().min(0).max(1e12).catch(0);

/** Documents for search engines and shopping agents. */
export const crawlers = new Hono<AppEnv>()
  .get("/robots.txt", (c) => {
    const rules = ["User-agent: *", "Allow: /", ...[...PRIVATE, ...REPEATED].map((path) => `Disallow: ${path}`)];
    return c.text([...rules, "", `Sitemap: ${new URL("/sitemap.xml", c.req.url)}`, ""].join("\n"));
  })
  .get("/sitemap.xml", sitemapIndex)
  .get("/sitemap-categories.xml", (c) => categoriesSitemap(c, Page.parse(c.req.query("page"))))
  .get(
    "/sitemap-products.xml",
    async (c) => (await productsSitemap(c, After.parse(c.req.query("after")))) ?? notFound(c),
  )
  .get("/llms.txt", async (c) => c.text(await llmsText(c)));
