import type { Context } from "hono";
import { parseDictionary } from "structured-headers";
import { notFound, tooManyRequests } from "../../domain/errors.ts";
import { type AppEnv, limitAddress } from "../../platform/auth/gates.ts";
import { hashSecret } from "../../platform/auth/secrets.ts";
import { SignatureRefused, verifyRequest } from "../../platform/http/message-signatures.ts";
import type { Resolver } from "../../platform/http/outbound.ts";
import { countAccount, secondsToReset } from "../../platform/rate-limit/limiter.ts";
import { type AgentRules, findProfile, readAgentRules, saveProfile } from "./agents.ts";
import {
  type AgentProfile,
  AgentRefused,
  type FetchedProfile,
  FRESH_MS,
  fetchProfile,
  requireProfileUrl,
} from "./profile.ts";

/**
 * The sender of a request to the shop's agent interface, by the URL of its profile. `document` is the profile if the
 * agent proved that it owns it. An agent's data belongs to its `owner`, which nobody can claim without a signature,
 * unless the agent never signs.
 */
export type Agent = { profile: string; document: AgentProfile | null; owner: string; version: string | undefined };

/** An agent that a message names in its body instead of in the `UCP-Agent` header. */
type NamedAgent = { profile: string; version?: string | undefined };

/** Profiles that this isolate fetched last, by URL. */
const MOST_REMEMBERED = 200;
const remembered = new Map<string, FetchedProfile>();

/**
 * Identifies the agent of a request by its profile and signature, counts the request and refuses agents that the shop
 * does not answer. Throws `AgentRefused`, or an `ApiError` if the shop answers no agents or the limit is reached. The
 * profile of an agent that does not sign is not fetched, so that nobody can make the shop call URLs.
 */
export async function identifyAgent(c: Context<AppEnv>, named?: NamedAgent): Promise<Agent> {
  const isSigned = c.req.raw.headers.has("Signature-Input");
  if (!isSigned) await limitAddress(c, "anonymous");
  const rules = await readAgentRules(c.var.db);
  if (rules.access === "off") throw notFound("This address");
  const resolver = resolverOf(c);
  const { profile, version } = namedIn(c.req.header("UCP-Agent")) ?? named ?? unnamed();
  const url = requireProfileUrl(profile, resolver);
  requireTrust(rules, url);
  if (!isSigned) {
    if (rules.access !== "open") {
      throw new AgentRefused("signature_missing", "Sign the request with a key of your profile (RFC 9421)");
    }
    return { profile: url.href, document: null, owner: `unsigned ${url.href}`, version };
  }
  const { profile: document } = await verified(c, url, resolver);
  await countHost(c, url.host);
  return { profile: url.href, document, owner: url.href, version };
}

function unnamed(): never {
  throw new AgentRefused("invalid_profile_url", 'Send the header UCP-Agent: profile="https://…"');
}

function requireTrust({ access, hosts }: AgentRules, { host }: URL): void {
  if (access !== "listed" || hosts.includes(host)) return;
  throw new AgentRefused("profile_not_trusted", `This shop does not answer agents of ${host}`);
}

/** The request's own host also belongs to this shop. */
function resolverOf(c: Context<AppEnv>): Resolver {
  const { webhooks } = c.var.settings;
  return { ...webhooks, ownHosts: [...webhooks.ownHosts, new URL(c.req.url).hostname] };
}

/** Reads `UCP-Agent: profile="https://…"`, a dictionary of RFC 8941, with an optional version. Undefined without the header. */
function namedIn(header: string | undefined): NamedAgent | undefined {
  if (header === undefined) return undefined;
  const agent = dictionaryOf(header);
  const [profile, parameters] = agent?.get("profile") ?? [];
  if (typeof profile !== "string") return unnamed();
  const version = parameters?.get("version") ?? agent?.get("version")?.[0];
  return { profile, version: typeof version === "string" ? version : undefined };
}

function dictionaryOf(header: string) {
  try {
    return parseDictionary(header);
  } catch {
    return undefined;
  }
}

/** Verifies the signature, with a fresh profile if the cached one lacks the key. Wrong signatures count by address. */
async function verified(c: Context<AppEnv>, url: URL, resolver: Resolver): Promise<FetchedProfile> {
  const body = await c.req.arrayBuffer();
  const verify = async (fetched: FetchedProfile) => {
    await verifyRequest(c.req.raw, body, fetched.profile.keys);
    return fetched;
  };
  const known = await profileOf(c, { url, resolver });
  try {
    const fetched = await verify(known).catch(async (error: unknown) => {
      const mayHaveRotated = error instanceof SignatureRefused && error.problem === "key_not_found";
      if (!mayHaveRotated || Date.now() - known.fetchedAt < FRESH_MS.least) throw error;
      return verify(await fetchAnew(c, { url, resolver }));
    });
    if (fetched.isNew) {
      await saveProfile(c.var.db, fetched);
      fetched.isNew = false;
    }
    return fetched;
  } catch (error) {
    if (!(error instanceof SignatureRefused)) throw error;
    await limitAddress(c, "failed-credentials");
    throw new AgentRefused(error.problem, error.message);
  }
}

type Place = { url: URL; resolver: Resolver };

/** The cached or stored profile, or a newly fetched one if neither is fresh. */
async function profileOf(c: Context<AppEnv>, place: Place): Promise<FetchedProfile> {
  const now = Date.now();
  const here = remembered.get(place.url.href);
  if (here && here.expiresAt > now) return here;
  const stored = await findProfile(c.var.db, place.url);
  if (stored && stored.expiresAt > now) return remember(stored);
  return fetchAnew(c, place);
}

async function fetchAnew(c: Context<AppEnv>, { url, resolver }: Place): Promise<FetchedProfile> {
  await limitAddress(c, "agent-profiles");
  return remember(await fetchProfile(url, resolver));
}

function remember(fetched: FetchedProfile): FetchedProfile {
  const [oldest] = remembered.keys();
  if (remembered.size >= MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  remembered.set(fetched.profile.url, fetched);
  return fetched;
}

/** Counts a proven agent by its profile's host, wherever its requests come from. */
async function countHost(c: Context<AppEnv>, host: string): Promise<void> {
  const count = await countAccount(c.env, "agents", hashSecret(`agent:${host}`));
  if (count) c.set("count", count);
  if (count?.admitted === false) throw tooManyRequests(secondsToReset(count));
}
