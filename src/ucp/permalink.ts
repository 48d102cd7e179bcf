import type { Context } from "hono";
import { notFound } from "../domain/errors.ts";
import { type AgentRules, readAgentRules } from "../integrations/agents/agents.ts";
import { addressStorage } from "../platform/auth/caller.ts";
import type { AppEnv } from "../platform/auth/gates.ts";
import { createCheckout } from "./checkout.ts";
import { contextFor, type UcpContext, withoutProfile } from "./protocol.ts";
import { CreateCheckout } from "./requests.ts";

// Links that begin a checkout in a browser: https://ucp.dev/2026-08-25/specification/permalink

/** Path of the endpoint, which the items follow. */
export const PERMALINK_PATH = "/ucp/buy";

/** A browser proves no agent, so only shops that admit every agent have permalinks. */
export const hasPermalinks = (access: AgentRules["access"]): boolean => access === "open";

/** Redirects to the page of a new checkout, or to the storefront if the link has nothing that can be bought. */
export async function openPermalink(c: Context<AppEnv>): Promise<Response> {
  const { db, settings } = c.var;
  const { access } = await readAgentRules(db);
  if (!hasPermalinks(access)) throw notFound("This address");
  const input = checkoutOf(c.req.param("items"), new URL(c.req.url).searchParams);
  const opened = input ? await createCheckout(contextOf(c), input) : {};
  const to = "continue_url" in opened ? String(opened.continue_url) : settings.email.shopUrl;
  const headers = { "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" };
  if (to === null) return c.text("Nothing in this link can be bought", 404, headers);
  return c.body(null, 303, { ...headers, Location: to });
}

/** The session of a permalink belongs to no agent: only its page opens it. */
function contextOf(c: Context<AppEnv>): UcpContext {
  const { host } = new URL(c.req.url);
  const profile = { version: withoutProfile.mapping.version, capabilities: {}, keys: [], url: "", host };
  const storage = addressStorage(c.req.header("CF-Connecting-IP") ?? null);
  const agent = { profile, isProven: false, owner: "unsigned permalink", version: undefined, storage };
  return contextFor(c, { kind: "anonymous" }, agent, withoutProfile);
}

const FIELD = /^\/?(?:(buyer|context)\/(?!consent$)([a-z_]+)|discounts\/codes\/(\d))$/;

/** The checkout that a link describes. Invalid fields are left out. Undefined if the items are invalid or a field is ambiguous. */
function checkoutOf(items = "", query: URLSearchParams): CreateCheckout | undefined {
  const line_items = items.split(",").map(lineOf);
  const sent = { buyer: {}, context: {}, codes: {} };
  for (const [field, value] of query) {
    const [match, root, name, place] = FIELD.exec(field) ?? [];
    if (match === undefined) continue;
    const part: Record<string, string> = root === "buyer" || root === "context" ? sent[root] : sent.codes;
    const key = name ?? String(place);
    if (Object.hasOwn(part, key)) return undefined;
    part[key] = value;
  }
  const { buyer, context, codes } = sent;
  const whole = { line_items, buyer, context, discounts: { codes: Object.values(codes) } };
  return [whole, { line_items }]
    .map((body) => CreateCheckout.safeParse(body).data)
    .find((parsed) => parsed !== undefined);
}

function lineOf(pair: string) {
  const [, plain, encoded, quantity] = /^(?:([\w.-]+)|~([\w-]+)):([1-9]\d{0,8})$/.exec(pair) ?? [];
  return { item: { id: plain ?? decoded(encoded ?? "") }, quantity: Number(quantity) };
}

/** The identifier in canonical base64url. Undefined if it is not, or is no text in one line. */
function decoded(encoded: string): string | undefined {
  const bytes = Buffer.from(encoded, "base64url");
  const text = bytes.toString("utf8");
  const isCanonical = bytes.toString("base64url") === encoded && Buffer.from(text).equals(bytes);
  return isCanonical && !/\p{Cc}/u.test(text) ? text : undefined;
}
