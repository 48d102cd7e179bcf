import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { followWrites } from "../apps/follow-events.ts";
import { newApp, settings } from "../apps/new-app.ts";
import { readShop } from "../back-office/shop/shop.ts";
import { notFound } from "../domain/errors.ts";
import type { AppEnv } from "../platform/auth/app-env.ts";
import { limitAddress } from "../platform/auth/gates.ts";
import { database } from "../platform/db/bookmark.ts";
import { jsonBodies, jsonLimit, plainBodies } from "../platform/http/body-parsing.ts";
import { preflight, setSecurityHeaders } from "../platform/http/security-headers.ts";
import { validate } from "../platform/http/validate.ts";
import { getProduct, lookupCatalog, searchCatalog } from "./catalog.ts";
import { type UcpContext, ucpContextOf } from "./context.ts";
import { offers, type RootCapability } from "./negotiate.ts";
import { profileOf } from "./profile.ts";
import { incompatible, refusalOfProtocol, UCP_PATH } from "./protocol.ts";
import { GetProduct, LookupCatalog, SearchCatalog } from "./requests.ts";

// The REST binding of the Universal Commerce Protocol. Its operations are functions of a context and an input, which other
// bindings call as well.

export const ucpApp = newApp(
  (c, error) => c.json(refusalOfProtocol(error), error.status as ContentfulStatusCode, error.headers),
  { preflight, setHeaders: setSecurityHeaders },
);

ucpApp.use(settings, plainBodies, jsonLimit, jsonBodies, database, followWrites);

ucpApp.get("/.well-known/ucp", async (c) => {
  const { db, settings } = c.var;
  await limitAddress(c, "anonymous");
  const { agentAccess } = await readShop(db, settings.email);
  if (agentAccess === "off") throw notFound("This address");
  const profile = await profileOf({ db, settings, origin: new URL(c.req.url).origin });
  return c.json(profile, 200, { "Cache-Control": "public, max-age=300" });
});

/** Runs an operation of a capability that the agent and the shop have in common. */
async function answer(c: Context<AppEnv>, root: RootCapability, run: (ctx: UcpContext) => Promise<object>) {
  const ctx = await ucpContextOf(c);
  if (!offers(ctx.capabilities, root)) return c.json(incompatible(root), 200);
  return c.json(await run(ctx), 200);
}

ucpApp.post(`${UCP_PATH}/catalog/search`, validate("json", SearchCatalog), (c) =>
  answer(c, "catalog.search", (ctx) => searchCatalog(ctx, c.req.valid("json"))),
);
ucpApp.post(`${UCP_PATH}/catalog/lookup`, validate("json", LookupCatalog), (c) =>
  answer(c, "catalog.lookup", (ctx) => lookupCatalog(ctx, c.req.valid("json"))),
);
ucpApp.post(`${UCP_PATH}/catalog/product`, validate("json", GetProduct), (c) =>
  answer(c, "catalog.lookup", (ctx) => getProduct(ctx, c.req.valid("json"))),
);
