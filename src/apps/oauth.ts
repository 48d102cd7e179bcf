import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { accountContextOf } from "../accounts/users/account-context.ts";
import { type ApiError, unsupportedMediaType } from "../domain/errors.ts";
import { OAuthError } from "../integrations/apps/errors.ts";
import { type ClientForm, exchange, requireClient, revoke } from "../integrations/apps/exchange.ts";
import { resourceMetadata, serverMetadata } from "../integrations/apps/metadata.ts";
import { type AppEnv, limitAddress } from "../platform/auth/gates.ts";
import { connect } from "../platform/db/client.ts";
import { bodyText, jsonLimit, parseForm, plainBodies } from "../platform/http/body-parsing.ts";
import { preflight, setSecurityHeaders } from "../platform/http/security-headers.ts";
import { RESOURCE_METADATA, resourceAddresses } from "../platform/http/token-resources.ts";
import { newApp, settings } from "./new-app.ts";

/** An error in the form of RFC 6749, section 5.2. A client that tried to authenticate is told how. */
function oauthFailure(c: Context<AppEnv>, error: ApiError) {
  const code = error instanceof OAuthError ? error.oauthCode : error.status < 500 ? "invalid_request" : "server_error";
  if (code === "invalid_client") c.header("WWW-Authenticate", 'Basic realm="storefront"');
  return c.json({ error: code, error_description: error.message }, error.status as ContentfulStatusCode, error.headers);
}

/** The authorization server's endpoints for programs. The page that asks a person is src/account-pages/authorize-page.tsx. */
export const oauthApp = newApp(oauthFailure, { preflight, setHeaders: setSecurityHeaders });

const CACHED = { "Cache-Control": "public, max-age=300" };

oauthApp.get("/.well-known/oauth-authorization-server", (c) => c.json(serverMetadata(originOf(c)), 200, CACHED));
for (const entry of Object.entries(resourceAddresses))
  oauthApp.get(RESOURCE_METADATA + entry[0], (c) => c.json(resourceMetadata(originOf(c), entry), 200, CACHED));

const originOf = ({ req }: Context): string => new URL(req.url).origin;

oauthApp.use("/oauth/*", settings, plainBodies, jsonLimit, (c, next) => {
  // Reads the primary database, because a replica may not know yet that a token was spent or ended.
  c.set("db", connect(c.env.DB));
  return next();
});

oauthApp.post("/oauth/token", async (c) => {
  const { clientId, fields } = await authenticated(c);
  const tokens = await exchange(contextOf(c), { url: c.req.url, clientId, fields }).catch(async (error: unknown) => {
    // Codes and refresh tokens cannot be guessed, but each guess costs a query.
    if (error instanceof OAuthError) await limitAddress(c, "failed-credentials");
    throw error;
  });
  return c.json({
    access_token: tokens.accessToken,
    token_type: "Bearer",
    expires_in: tokens.expiresIn,
    refresh_token: tokens.refreshToken,
    scope: tokens.scopes.join(" "),
  });
});

oauthApp.post("/oauth/revoke", async (c) => {
  await revoke(contextOf(c), await authenticated(c));
  return c.body(null, 200);
});

const contextOf = (c: Context<AppEnv>) =>
  accountContextOf({ env: c.env, req: c.req, var: { ...c.var, caller: { kind: "anonymous" } as const } });

async function authenticated(c: Context<AppEnv>) {
  await limitAddress(c, "anonymous");
  const form = await readClientForm(c);
  const clientId = await requireClient(c.var.db, form).catch(async (error: unknown) => {
    if (error instanceof OAuthError) await limitAddress(c, "failed-credentials");
    throw error;
  });
  return { clientId, fields: form.fields };
}

const FORM = "application/x-www-form-urlencoded";

/** Reads a form whose fields may each be sent once (RFC 6749, section 3.2). */
async function readClientForm(c: Context<AppEnv>): Promise<ClientForm> {
  if (!c.req.header("Content-Type")?.toLowerCase().startsWith(FORM)) throw unsupportedMediaType(FORM);
  const fields = Object.entries(parseForm(await bodyText(c.req, "invalid_format"))).map(
    ([name, [value, ...others]]) => {
      if (others.length > 0) throw new OAuthError("invalid_request", `${name} is sent more than once`);
      // A field without a value counts as absent (RFC 6749, section 3.2).
      return [name, value || undefined] as const;
    },
  );
  return { fields: Object.fromEntries(fields), basic: basicOf(c.req.header("Authorization")) };
}

/** The id and secret of a header, which are form-encoded within it (RFC 6749, section 2.3.1). */
function basicOf(header: string | undefined): ClientForm["basic"] {
  if (header === undefined) return null;
  const [, encoded = ""] = /^Basic +([\w+/=-]+)$/i.exec(header) ?? [];
  const [, id, secret] = /^([^:]+):(.*)$/s.exec(Buffer.from(encoded, "base64").toString("utf8")) ?? [];
  if (id === undefined || secret === undefined)
    throw new OAuthError(
      "invalid_client",
      "The Authorization header must be HTTP Basic with the client's id and secret",
    );
  const read = (text: string) => new URLSearchParams(`v=${text.replaceAll("&", "%26")}`).get("v") ?? "";
  return [read(id), read(secret)];
}
