import { createHash } from "node:crypto";
import type { Next } from "hono";
import { createMiddleware } from "hono/factory";
import { type Caller, seesDrafts } from "../auth/caller.ts";
import { BOOKMARK_HEADER, database } from "../bookmark.ts";
import { connect } from "../db/client.ts";
import type { AppEnv } from "../env.ts";
import { inBackground } from "../http/background.ts";
import { says } from "../http/contract.ts";
import { isNotModified } from "../http/version.ts";
import { findAnswer, forgetAnswers, keepAnswer } from "./answers.ts";
import { type KeptAnswer, PRIVATE, toKept } from "./kept.ts";

/** What callers may see of the catalogue: those who see the same share answers. */
const VIEWS = ["all", "active"] as const;

type View = (typeof VIEWS)[number];

/**
 * Answers a read of the catalogue as it was within the last 30 s, else builds the answer from any replica and keeps it.
 * Who sends a bookmark reads what they wrote, past everything that is kept.
 */
export const warm = says(
  createMiddleware<AppEnv & { Variables: { caller: Caller } }>(async (c, next) => {
    if (c.req.header(BOOKMARK_HEADER)) return database(c, async () => void (await build(c, next)));
    const key = keyOf(c.req.url, seesDrafts(c.get("caller")) ? "all" : "active");
    const known = await findAnswer(key, Date.now());
    if (known) return answerTo(c.req.raw, known);
    c.set("db", connect(c.env.DB.withSession("first-unconstrained")));
    const built = await build(c, next);
    if (built) inBackground(c, "keep an answer of the catalogue", keepAnswer(key, built));
  }),
  { cached: true },
);

/** The part of a Context that building needs, whatever a gate has added. */
type Built = { req: { raw: Request }; get res(): Response; set res(answer: Response | undefined) };

/** Has the answer built, and gives it its ETag; null when it is a refusal. */
async function build(c: Built, next: Next): Promise<KeptAnswer | null> {
  const builtAt = Date.now();
  await next();
  if (c.res.status !== 200) return null;
  const body = await c.res.text();
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  const built = toKept({ body, etag, link: c.res.headers.get("Link"), builtAt });
  c.res = undefined;
  c.res = answerTo(c.req.raw, built);
  return built;
}

/** After a write of the catalogue: what this data centre's isolate can reach is forgotten before the answer goes out. */
export const purgesCatalogue = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  if (c.res.status >= 400) return;
  const { origin, pathname } = new URL(c.req.url);
  const [, id] = /\/products\/(\d+)/.exec(pathname) ?? [];
  const product = `${origin}/api/v1/user/products/${id}`;
  await forgetAnswers(id ? VIEWS.map((view) => keyOf(product, view)) : []);
});

/** The same question in another order of its parameters is the same question. */
function keyOf(address: string, view: View): string {
  const key = address.replace("/api/", `/.catalogue/${view}/api/`);
  if (!key.includes("&")) return key;
  const url = new URL(key);
  url.searchParams.sort();
  return url.href;
}

function answerTo(request: Request, { body, etag, like }: KeptAnswer): Response {
  if (!isNotModified(request.headers, etag)) return new Response(body, like);
  return new Response(null, { status: 304, headers: { ETag: etag, ...PRIVATE } });
}
