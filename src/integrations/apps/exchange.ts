import { type AccountContext, closeSession } from "../../accounts/users/public.ts";
import { hashSecret, sameSecret } from "../../platform/auth/secrets.ts";
import type { Database } from "../../platform/db/client.ts";
import { apps, type TokenResource } from "../../platform/db/schema.ts";
import { readResource } from "./authorize.ts";
import { isKnownClient } from "./clients.ts";
import { findCode, requireUsable } from "./codes.ts";
import { OAuthError, requireResource } from "./errors.ts";
import {
  endFamily,
  exchangeStaffCode,
  refreshInstallation,
  revokeInstallationToken,
  type Tokens,
} from "./installation-tokens.ts";
import { exchangeShopperCode, refreshShopper, revokeShopperToken } from "./shopper-tokens.ts";

/** A form of a client: its fields, each sent once, and the id and secret of its Authorization header. */
export type ClientForm = { fields: Record<string, string | undefined>; basic: [id: string, secret: string] | null };

/** Authenticates a client by its secret, or a public one by its id alone. Returns its id. */
export async function requireClient(db: Database, { fields, basic }: ClientForm): Promise<string> {
  if (basic && (fields.client_secret !== undefined || (fields.client_id ?? basic[0]) !== basic[0]))
    throw new OAuthError("invalid_request", "The client must authenticate in one way");
  const [clientId, secret] = basic ?? [fields.client_id, fields.client_secret];
  if (!clientId) throw new OAuthError("invalid_client", "client_id is missing");
  const app = await db.select().from(apps).where(isKnownClient(clientId)).get();
  const isRight = app && (app.secretHash === null ? !secret : sameSecret(hashSecret(secret ?? ""), app.secretHash));
  if (!isRight) throw new OAuthError("invalid_client", "The client is unknown, or its secret is wrong");
  return clientId;
}

const required = (fields: ClientForm["fields"], name: string): string => {
  const value = fields[name];
  if (!value) throw new OAuthError("invalid_request", `${name} is missing`);
  return value;
};

type Exchange = { url: string; clientId: string; fields: ClientForm["fields"] };

/** Exchanges a code or a refresh token for tokens. */
export function exchange(ctx: AccountContext, { url, clientId, fields }: Exchange): Promise<Tokens> {
  const resource = fields.resource === undefined ? undefined : readResource(url, fields.resource);
  if (resource === null) throw new OAuthError("invalid_target", "resource is not of this shop");
  switch (fields.grant_type) {
    case "authorization_code":
      return exchangeCode(ctx, { clientId, fields, resource });
    case "refresh_token":
      return refresh(ctx, { token: required(fields, "refresh_token"), clientId, resource });
    case undefined:
      throw new OAuthError("invalid_request", "grant_type is missing");
    default:
      throw new OAuthError("unsupported_grant_type", "grant_type must be authorization_code or refresh_token");
  }
}

type ExchangeTarget = Pick<Exchange, "clientId"> & { resource: TokenResource | undefined };

async function exchangeCode(
  ctx: AccountContext,
  { clientId, fields, resource }: ExchangeTarget & Pick<Exchange, "fields">,
): Promise<Tokens> {
  const [sent, verifier] = [required(fields, "code"), required(fields, "code_verifier")];
  const found = await findCode(ctx.db, sent);
  if (!found) throw new OAuthError("invalid_grant", "The code is unknown");
  const { code } = found;
  requireUsable(found, { clientId, redirectUri: fields.redirect_uri, verifier, now: ctx.author.now });
  requireResource(code.resource, resource);
  const { apiKeyId, userId, sessionId, hash } = code;
  const tokens =
    apiKeyId === null ? await exchangeShopperCode(ctx, found) : await exchangeStaffCode(ctx, { ...code, apiKeyId });
  if (tokens) return tokens;
  // The second use may be the rightful client's, so the tokens of the first end too (RFC 6749, section 4.1.2).
  await (apiKeyId === null ? closeSession(ctx, { userId, id: sessionId }) : endFamily(ctx, hash));
  throw new OAuthError("invalid_grant", "The code was already used");
}

const refresh = async (ctx: AccountContext, sent: ExchangeTarget & { token: string }): Promise<Tokens> =>
  (await refreshInstallation(ctx, sent)) ?? refreshShopper(ctx, sent);

/** Ends the tokens that belong together with this one. An unknown token has nothing to end (RFC 7009, section 2.2). */
export async function revoke(ctx: AccountContext, { clientId, fields }: Omit<Exchange, "url">): Promise<void> {
  const token = required(fields, "token");
  if (await revokeInstallationToken(ctx, { token, clientId })) return;
  await revokeShopperToken(ctx, { token, clientId });
}
