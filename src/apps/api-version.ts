import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { matchedRoutes } from "hono/route";
import { isPartOfAnother } from "../platform/auth/authenticate.ts";
import type { Caller } from "../platform/auth/caller.ts";
import type { AppEnv } from "../platform/auth/gates.ts";
import {
  apiHistory,
  changesSince,
  chosenVersion,
  fromNewest,
  toNewest,
  VERSION_HEADER,
} from "../platform/http/api-versions.ts";
import { bodyText } from "../platform/http/body-parsing.ts";
import { routeDescriptionOf } from "../platform/http/route-description.ts";
import { isFields } from "../platform/http/sent-back.ts";

/**
 * Converts requests and responses for the caller's version of the API. Runs behind `authenticate` and the limits of bodies. While there is one version, it
 * only refuses others.
 */
export const apiVersion = (history = apiHistory) =>
  createMiddleware<AppEnv>((c, next) => {
    const asked = c.req.raw.headers.get(VERSION_HEADER);
    if (isPartOfAnother(c.req.raw) || (asked === null && history.changes.length === 0)) return next();
    const identity: Caller = c.get("identity");
    const createdAt = identity.kind === "api_key" ? identity.createdAt : undefined;
    const version = chosenVersion(history, asked, createdAt);
    if (history.changes.length > 0) c.header("Vary", VERSION_HEADER, { append: true });
    return convert(c, { version, steps: changesSince(history, version, operationIdOf(c)) }, next);
  });

const operationIdOf = (c: Context): string =>
  matchedRoutes(c).reduce((id, { handler }) => routeDescriptionOf(handler).answer?.operationId ?? id, "");

/** Converts the body of a request to the newest version, and that of its response to the caller's. */
async function convert(
  c: Context,
  { version, steps }: { version: string; steps: ReturnType<typeof changesSince> },
  next: () => Promise<void>,
): Promise<void> {
  const text = steps.length > 0 && c.req.raw.body ? await bodyText(c.req, "invalid_json") : "";
  const sent: unknown = text && (await c.req.json());
  if (isFields(sent)) Object.assign(c.req.bodyCache, { text: Promise.resolve(JSON.stringify(toNewest(steps, sent))) });
  await next();
  if (steps.length > 0 && c.res.ok && c.res.status !== 204) {
    const { data, ...envelope } = await c.res.json<{ data: unknown }>();
    const { status, headers } = c.res;
    c.res = undefined;
    c.res = new Response(JSON.stringify({ ...envelope, data: fromNewest(steps, data) }), { status, headers });
  }
  c.res.headers.set(VERSION_HEADER, version);
}
