import type { Context, Next } from "hono";
import { createMiddleware } from "hono/factory";
import { routePath } from "hono/route";
import { type Caller, seesDrafts } from "../auth/caller.ts";
import { BOOKMARK_HEADER, database } from "../bookmark.ts";
import { connect } from "../db/client.ts";
import type { AppEnv } from "../env.ts";
import { inBackground, toItsEnd } from "../http/background.ts";
import { says } from "../http/contract.ts";
import { isNotModified } from "../http/version.ts";
import { findAnswer, keepAnswer, purgeAnswers, shareAnswer } from "./answers.ts";
import { type KeptAnswer, PRIVATE, toKept } from "./kept.ts";

/** What a gate and the validators before this have left: who asks, and for what. */
type Asking = AppEnv & { Variables: { caller: Caller } };
type Asked = { out: { param: object; query: object } };

/**
 * Answers a read of the catalogue as it was within the last 30 s, else builds the answer from any replica and keeps it.
 * Who sends a bookmark reads what they wrote, past everything that is kept. It stands after the validators of its line.
 */
export const warm = says(
  createMiddleware<Asking, string, Asked>(async (c, next) => {
    if (c.req.header(BOOKMARK_HEADER)) return database(c, async () => void (await build(c, next)));
    const key = keyOf(c);
    const now = Date.now();
    const known = await findAnswer(key, now);
    if (known) {
      if (!known.isShared) inBackground(c, "share an answer of the catalogue", shareAnswer(key, known));
      return aged(answerTo(c.req.raw, known), known, now);
    }
    c.set("db", connect(c.env.DB.withSession("first-unconstrained")));
    // To its end, also when whoever asked has gone: others wait for it.
    const built = await toItsEnd(c, build(c, next));
    if (built) keepAnswer(key, built);
  }),
  { cached: true },
);

/**
 * All that an answer depends on: the host that was called, what the caller may see, the route, and what the validators read
 * out of the request. So addresses that are spelt differently share an answer only where the handler could not tell them apart.
 */
function keyOf(c: Context<Asking, string, Asked>): string {
  const view = seesDrafts(c.get("caller")) ? "all" : "active";
  const asked = Object.entries({ ...c.req.valid("param"), ...c.req.valid("query") });
  const query = new URLSearchParams(
    asked.filter(([, value]) => value !== undefined).map(([name, value]) => [name, String(value)]),
  );
  query.sort();
  return `${new URL(c.req.url).origin}/.catalogue/${view}${routePath(c)}?${query}`;
}

/** The part of a Context that building needs, whatever a gate has added. */
type Built = { req: { raw: Request }; get res(): Response; set res(answer: Response | undefined) };

/** Has the answer built, and gives it its ETag; null when it is a refusal. */
async function build(c: Built, next: Next): Promise<KeptAnswer | null> {
  const builtAt = Date.now();
  await next();
  if (c.res.status !== 200) return null;
  const body = await c.res.text();
  const etag = await etagOf(body);
  const built = toKept({ body, etag, link: c.res.headers.get("Link"), builtAt }, false);
  c.res = undefined;
  c.res = answerTo(c.req.raw, built);
  return built;
}

async function etagOf(body: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body));
  return `"${Buffer.from(hash).toString("base64url").slice(0, 22)}"`;
}

/** Has shoppers see at once what an administrator wrote, as far as this data centre's isolate can reach. */
export const purgesCatalogue = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  if (c.req.method === "GET" || c.req.method === "HEAD" || c.res.status >= 400) return;
  await purgeAnswers(new URL(c.req.url).origin, Date.now());
});

/** RFC 9111, section 5.1: whole seconds since the answer was built. */
function aged(answer: Response, { builtAt }: KeptAnswer, now: number): Response {
  answer.headers.set("Age", String(Math.max(0, Math.floor((now - builtAt) / 1000))));
  return answer;
}

function answerTo(request: Request, { body, etag, like }: KeptAnswer): Response {
  if (!isNotModified(request.headers, etag)) return new Response(body, like);
  return new Response(null, { status: 304, headers: { ETag: etag, ...PRIVATE } });
}
