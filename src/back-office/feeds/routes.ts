import { type Context, Hono } from "hono";
import { readItemsForSale } from "../../catalogue/products/public.ts";
import { notFound, tooManyRequests } from "../../domain/errors.ts";
import { type AppEnv, limitAddress } from "../../platform/auth/gates.ts";
import { hashSecret } from "../../platform/auth/secrets.ts";
import type { Database } from "../../platform/db/client.ts";
import { logFault } from "../../platform/http/log.ts";
import { isNotModified } from "../../platform/http/version.ts";
import { countAccount } from "../../platform/rate-limit/counting.ts";
import { secondsToReset } from "../../platform/rate-limit/limiter.ts";
import { FIRST_ROWS, limitAfter, streamed } from "../exports/public.ts";
import { readShop } from "../shop/public.ts";
import { type FeedRow, fileOf, findFeed, markRead, readCatalogueVersion } from "./feeds.ts";
import { type FeedFacts, feedWriters } from "./items.ts";
import { isAccepted } from "./refusals.ts";

export const feedRoutes = new Hono<AppEnv>().get("/feeds/:file", async (c) => {
  const { db } = c.var;
  const feed = await findFeed(db, c.req.query("key") ?? "");
  if (!feed || c.req.param("file") !== fileOf(feed)) {
    await limitAddress(c, "failed-credentials");
    throw notFound("This feed");
  }
  await limitReads(c, feed);
  const etag = `"${await readCatalogueVersion(db)}-${feed.updatedAt}"`;
  await markRead(db, feed, Date.now());
  const headers = { ETag: etag, "Cache-Control": "private, no-cache", "X-Robots-Tag": "noindex" };
  if (isNotModified(c.req.raw.headers, etag)) return c.body(null, 304, headers);
  return answerFeed(c, feed, headers);
});

async function limitReads(c: Context<AppEnv>, { id }: FeedRow): Promise<void> {
  const count = await countAccount(c.env, "feeds", hashSecret(`feed:${id}`));
  if (count?.admitted === false) throw tooManyRequests(secondsToReset(count));
}

async function answerFeed(c: Context<AppEnv>, feed: FeedRow, headers: Record<string, string>): Promise<Response> {
  const { db, settings, requestId } = c.var;
  const { name: shopName } = await readShop(db, settings.email);
  const facts = { feed, shopName, currency: settings.currency, origin: new URL(c.req.url).origin };
  const text = await streamed(pagesOf(db, facts), (error) => {
    logFault("feed interrupted", error, { request_id: requestId });
  });
  if (feed.format === "google") return c.body(text, 200, { ...headers, "Content-Type": "text/tab-separated-values" });
  const compressed = text.pipeThrough(new CompressionStream("gzip"));
  return c.body(compressed, 200, { ...headers, "Content-Type": "application/gzip" });
}

/** Yields the feed's text. A page is read once the previous one was consumed. */
async function* pagesOf(db: Database, facts: FeedFacts): AsyncGenerator<string> {
  const { head, item } = feedWriters[facts.feed.format];
  let [after, limit, text] = [0, FIRST_ROWS, head];
  for (;;) {
    const rows = await readItemsForSale(db, { after, limit, where: isAccepted });
    text += rows.map((row) => item(row, facts)).join("");
    yield text;
    const last = rows.at(-1);
    if (!last || rows.length < limit) return;
    [after, limit, text] = [last.id, limitAfter(limit, text.length), ""];
  }
}
