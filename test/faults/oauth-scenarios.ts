import { eq } from "drizzle-orm";
import { hashSecret } from "../../src/platform/auth/secrets.ts";
import { appCodes, apps, sessions } from "../../src/platform/db/schema.ts";
import { aProof, aRegisteredClient, exchange, REDIRECT } from "../oauth/support.ts";
import { ORIGIN } from "../support/call.ts";
import { aKey, aUser, db } from "../support/shop.ts";
import type { Scenario } from "./scenarios.ts";

/** Sends a form, as clients do. */
const form = (path: string, fields: Record<string, string>) => ({
  line: `POST ${ORIGIN}${path}`,
  body: new URLSearchParams(fields).toString(),
  headers: { "Content-Type": "application/x-www-form-urlencoded" },
});

/** The fields that exchange a new code of an administrator or a shopper. */
async function aCode(by: "staff" | "shopper") {
  const clientId = await aRegisteredClient();
  const app = await db.select().from(apps).where(eq(apps.clientId, clientId)).get();
  const [appId, user] = [app?.id ?? 0, await aUser({ role: by === "staff" ? "admin" : "customer" })];
  const installation =
    by === "staff" ? await aKey({ appId, createdBy: user.id, permissions: ["products:read"] }) : { id: null };
  if (by === "shopper")
    await db
      .update(sessions)
      .set({ appId, scopes: ["profile"], resource: "/api/v1" })
      .where(eq(sessions.id, user.sessionId));
  const { verifier, challenge } = aProof();
  const code = `sfc_${crypto.randomUUID()}`;
  await db.insert(appCodes).values({
    ...{ hash: hashSecret(code), appId, userId: user.id, apiKeyId: installation.id, redirectUri: REDIRECT },
    ...{ scopes: [by === "staff" ? "products:read" : "profile"], codeChallenge: challenge, resource: "/api/v1" },
    ...{ sessionId: user.sessionId, expiresAt: Date.now() + 600_000, createdAt: Date.now() },
  });
  return { client_id: clientId, code, code_verifier: verifier };
}

const codeOf = (by: "staff" | "shopper") => async () =>
  form("/oauth/token", { grant_type: "authorization_code", redirect_uri: REDIRECT, ...(await aCode(by)) });

const tokenOf =
  (by: "staff" | "shopper", path: string, fields: (token: string) => Record<string, string>) => async () => {
    const sent = await aCode(by);
    const { body } = await exchange(sent);
    return form(path, { client_id: sent.client_id, ...fields(String(body.refresh_token)) });
  };

const refreshing = (refresh_token: string) => ({ grant_type: "refresh_token", refresh_token });
const revoking = (token: string) => ({ token });

const resources = ["", "/api/v1", "/mcp", "/mcp/admin", "/ucp/v1"];
const metadata = ["authorization-server", ...resources.map((address) => `protected-resource${address}`)];

/** Requests of OAuth. A route has one for each kind of token, named after the route. */
export const oauthScenarios: Record<string, Scenario> = {
  ...Object.fromEntries(
    metadata.map((name) => {
      const path = `/.well-known/oauth-${name}`;
      return [`GET ${path}`, async () => ({ line: `GET ${ORIGIN}${path}` })];
    }),
  ),
  "POST /oauth/token: code of staff": codeOf("staff"),
  "POST /oauth/token: code of a shopper": codeOf("shopper"),
  "POST /oauth/token: refresh token of an installation": tokenOf("staff", "/oauth/token", refreshing),
  "POST /oauth/token: refresh token of a shopper": tokenOf("shopper", "/oauth/token", refreshing),
  "POST /oauth/revoke: token of an installation": tokenOf("staff", "/oauth/revoke", revoking),
  "POST /oauth/revoke: token of a shopper": tokenOf("shopper", "/oauth/revoke", revoking),
};
