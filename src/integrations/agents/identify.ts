import type { HonoRequest } from "hono";
import { parseDictionary } from "structured-headers";
import { tooManyRequests } from "../../domain/errors.ts";
import { addressStorage, dailyStorage, type StorageShare } from "../../platform/auth/caller.ts";
import { type AppEnv, type Countable, claimsSignature, limitAddress } from "../../platform/auth/gates.ts";
import { hashSecret } from "../../platform/auth/secrets.ts";
import { SignatureRefused, verifyRequest } from "../../platform/http/message-signatures.ts";
import type { Resolver } from "../../platform/http/outbound.ts";
import { countAccount } from "../../platform/rate-limit/counting.ts";
import { secondsToReset } from "../../platform/rate-limit/limiter.ts";
import { type AgentRules, answersHost, findProfile, requireOpen, saveProfile } from "./agents.ts";
import {
  type AgentProfile,
  AgentRefused,
  type FetchedProfile,
  FRESH_MS,
  fetchProfile,
  requireProfileUrl,
} from "./profile.ts";

/**
 * The sender of a request to the shop's agent interface, with the profile that it names. `isProven` is true if it proved
 * that the profile is its own. An agent's data belongs to its `owner`, which nobody can claim without a signature, unless
 * the agent never signs.
 */
export type Agent = {
  profile: AgentProfile;
  isProven: boolean;
  owner: string;
  version: string | undefined;
  /** Subjects that its stored bytes count to: its host and address if it signs, never a host that it only claims. */
  storage: readonly StorageShare[];
};

/** The part of a Context that identifies an agent, independent of variables that gates add. */
export type AgentRequest = Countable & {
  req: HonoRequest;
  var: Pick<AppEnv["Variables"], "db" | "settings" | "requestId" | "identity">;
  set: (name: "isAgentProven", isProven: true) => void;
};

const UNSIGNED = "unsigned ";

/** True for the owner name of an agent that does not sign. */
export const isUnsigned = (owner: string): boolean => owner.startsWith(UNSIGNED);

/** An agent that a message names in its body instead of in the `UCP-Agent` header. */
type NamedAgent = { profile: string; version?: string | undefined };

/** Profiles that this isolate fetched last, by URL. */
const MOST_REMEMBERED = 200;
const remembered = new Map<string, FetchedProfile>();

/**
 * Identifies the agent of a request by its profile and signature, counts the agent and refuses those that the shop does
 * not answer. Throws `AgentRefused`, or an `ApiError` if the shop answers no agents or the limit is reached. The profile
 * of an agent that does not sign is fetched too, because it names the capabilities, but is not stored.
 */
export async function identifyAgent(c: AgentRequest, named?: NamedAgent): Promise<Agent> {
  const isSigned = claimsSignature(c);
  const rules = await requireOpen(c.var.db);
  const resolver = resolverOf(c);
  const bySignature = isSigned ? namedBySignature(c.req.header("Signature-Agent")) : undefined;
  const { profile, version } = namedIn(c.req.header("UCP-Agent")) ?? named ?? bySignature ?? unnamed();
  const url = requireProfileUrl(profile, resolver);
  requireTrust(rules, url);
  const address = c.req.header("CF-Connecting-IP") ?? null;
  if (!isSigned) {
    if (rules.access !== "open") {
      throw new AgentRefused("signature_missing", "Sign the request with a key of your profile (RFC 9421)");
    }
    const { profile } = await profileOf(c, { url, resolver });
    const owner = UNSIGNED + url.href;
    return { profile, isProven: false, owner, version, storage: addressStorage(address) };
  }
  const limit = dailyStorage.agent;
  const storage = [{ owner: `agent:${url.host}`, limit }, ...addressStorage(address, limit)];
  const { profile: own } = await verified(c, { url, resolver, storage });
  c.set("isAgentProven", true);
  await countHost(c, url.host);
  return { profile: own, isProven: true, owner: url.href, version, storage };
}

function unnamed(): never {
  throw new AgentRefused("invalid_profile_url", 'Send the header UCP-Agent: profile="https://…"');
}

function requireTrust(rules: AgentRules, { host }: URL): void {
  if (answersHost(rules, host)) return;
  throw new AgentRefused("profile_not_trusted", `This shop does not answer agents of ${host}`);
}

/** The request's own host also belongs to this shop. */
function resolverOf(c: AgentRequest): Resolver {
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

/**
 * Reads `Signature-Agent: sig1="https://…";type=jwks_uri`, in which a bot of Web Bot Auth names a document with its keys,
 * here a profile: https://ucp.dev/2026-08-25/specification/overview#key-discovery.
 */
function namedBySignature(header = ""): NamedAgent | undefined {
  const members = [...(dictionaryOf(header)?.values() ?? [])];
  const [profile] = members.find(([, parameters]) => String(parameters.get("type")) === "jwks_uri") ?? [];
  return typeof profile === "string" ? { profile } : undefined;
}

function dictionaryOf(header: string) {
  try {
    return parseDictionary(header);
  } catch {
    return undefined;
  }
}

/** Verifies the signature, with a fresh profile if the cached one lacks the key. Wrong signatures count by address. */
async function verified(
  c: AgentRequest,
  { storage, ...place }: Place & Pick<Agent, "storage">,
): Promise<FetchedProfile> {
  const body = await c.req.arrayBuffer();
  const verify = async (fetched: FetchedProfile) => {
    await verifyRequest(c.req.raw, body, fetched.profile.keys);
    return fetched;
  };
  const known = await profileOf(c, place);
  try {
    const fetched = await verify(known).catch(async (error: unknown) => {
      const mayHaveRotated = error instanceof SignatureRefused && error.problem === "key_not_found";
      if (!mayHaveRotated || Date.now() - known.fetchedAt < FRESH_MS.least) throw error;
      return verify(await fetchAnew(c, place));
    });
    if (fetched.isNew) {
      await saveProfile({ db: c.var.db, author: { storage, now: Date.now() } }, fetched);
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
async function profileOf(c: AgentRequest, place: Place): Promise<FetchedProfile> {
  const now = Date.now();
  const here = remembered.get(place.url.href);
  if (here && here.expiresAt > now) return here;
  const stored = await findProfile(c.var.db, place.url);
  if (stored && stored.expiresAt > now) return remember(stored);
  return fetchAnew(c, place);
}

async function fetchAnew(c: AgentRequest, { url, resolver }: Place): Promise<FetchedProfile> {
  await limitAddress(c, "agent-profiles");
  return remember(await fetchProfile(url, resolver));
}

function remember(fetched: FetchedProfile): FetchedProfile {
  const [oldest] = remembered.keys();
  if (remembered.size >= MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  remembered.set(fetched.profile.url, fetched);
  return fetched;
}

/**
 * Counts a proven agent by its profile's host, wherever its requests come from. Hosts of one domain count apart, because
 * only a list of all public suffixes tells them from hosts of different owners: the limit of the address bounds what many
 * hosts add.
 */
async function countHost(c: AgentRequest, host: string): Promise<void> {
  const count = await countAccount(c.env, "agents", hashSecret(`agent:${host}`));
  if (count) c.set("count", count);
  if (count?.admitted === false) throw tooManyRequests(secondsToReset(count));
}
