import { and, eq, isNull } from "drizzle-orm";
import * as z from "zod";
import { line } from "../../domain/fields.ts";
import { parsedJson } from "../../domain/json.ts";
import { type AppEnv, type Countable, limitAddress } from "../../platform/auth/gates.ts";
import { apps } from "../../platform/db/schema.ts";
import { logFault } from "../../platform/http/log.ts";
import { fetchDocument, maxAgeOf, type Resolver, refusalOfUrl } from "../../platform/http/outbound.ts";
import { OAuthError } from "./errors.ts";
import { problemOfRedirectUri } from "./redirect-uris.ts";

/** An OAuth client. One that describes itself at its id has the `host` of that URL, which is all that is known to be true of it. */
export type Client = {
  clientId: string;
  name: string;
  publisher: string | null;
  host: string | null;
  redirectUris: string[];
};

type ClientRequest = Countable & { req: { url: string }; var: Pick<AppEnv["Variables"], "db" | "settings"> };

/** The client with an id: one that an administrator registered, or else one that describes itself at the URL that is its id. */
export async function findClient(c: ClientRequest, clientId: string): Promise<Client> {
  const app = await c.var.db.select().from(apps).where(eq(apps.clientId, clientId)).get();
  const isRegistered = !clientId.includes("://");
  if (app ? app.deletedAt !== null : isRegistered)
    throw new OAuthError("invalid_client", "The app is not registered with this shop, or is blocked");
  if (app && isRegistered) return { ...app, host: null };
  const known = remembered.get(clientId);
  if (known && known.expiresAt > Date.now()) return known.client;
  await limitAddress(c, "agent-profiles");
  const { webhooks } = c.var.settings;
  const resolver = { ...webhooks, ownHosts: [...webhooks.ownHosts, new URL(c.req.url).hostname] };
  return fetchClient(clientId, resolver);
}

/** The condition that a client has this id and is admitted. */
export const isKnownClient = (clientId: string) => and(eq(apps.clientId, clientId), isNull(apps.deletedAt));

// Clients that describe themselves: https://datatracker.ietf.org/doc/draft-ietf-oauth-client-id-metadata-document/

const RedirectUri = z
  .string()
  .max(2_000)
  .superRefine((text, ctx) => {
    const problem = problemOfRedirectUri(text);
    if (problem !== null) ctx.addIssue(problem);
  });

export const RedirectUris = z.array(RedirectUri).min(1, "name at least one").max(20);

/** Such a client has no secret, because its document is public. */
const Document = z.object({
  client_id: z.string(),
  // Invisible characters, such as direction marks, and piles of accents could make the page say something else. The host is
  // shown instead.
  client_name: line(100)
    .regex(/^(?!.*\p{Mark}{4})\P{Default_Ignorable_Code_Point}*$/u)
    .optional()
    .catch(undefined),
  redirect_uris: RedirectUris,
  token_endpoint_auth_method: z.literal("none").default("none"),
  client_secret: z.never().optional(),
  client_secret_expires_at: z.never().optional(),
});

const MOST_BYTES = 64 * 1024;
const MOST_URL = 500;

/** Documents that this isolate fetched last. Errors are not remembered. */
const MOST_REMEMBERED = 200;
const remembered = new Map<string, { client: Client; expiresAt: number }>();

const MINUTE = 60_000;
const FRESH_MS = { least: MINUTE, most: 60 * MINUTE };

async function fetchClient(clientId: string, resolver: Resolver): Promise<Client> {
  const url = requireDocumentUrl(clientId, resolver);
  const { text, cacheControl } = await fetchDocument(url, {
    agent: "Storefront-OAuth",
    mostBytes: MOST_BYTES,
    resolver,
  }).catch((error: unknown) => {
    logFault("OAuth client document not readable", error);
    throw new OAuthError("invalid_client", `The app's description at ${url.host} could not be read`);
  });
  const { data } = Document.safeParse(parsedJson(text));
  if (data?.client_id !== clientId) {
    throw new OAuthError("invalid_client", `The app's description at ${url.host} is not that of a public OAuth client`);
  }
  const client = {
    clientId,
    name: data.client_name ?? url.host,
    publisher: null,
    host: url.host,
    redirectUris: data.redirect_uris,
  };
  const age = Math.min(Math.max(maxAgeOf(cacheControl) * 1000, FRESH_MS.least), FRESH_MS.most);
  const [oldest] = remembered.keys();
  if (remembered.size >= MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  remembered.set(clientId, { client, expiresAt: Date.now() + age });
  return client;
}

/** A client id is compared as text, so it must be written as `URL` writes it: without dot segments or a default port. */
function requireDocumentUrl(clientId: string, resolver: Resolver): URL {
  const url = clientId.length > MOST_URL || refusalOfUrl(clientId, resolver) !== null ? null : new URL(clientId);
  if (url?.href === clientId && url.hash === "" && url.pathname !== "/") return url;
  throw new OAuthError("invalid_client", "The client id must be a public https URL with a path");
}
