import * as z from "zod";
import { parsedJson } from "../../domain/json.ts";
import type { PublishedKey, SignatureProblem } from "../../platform/http/message-signatures.ts";
import { fetchDocument, maxAgeOf, type Resolver, refusalOfUrl, UrlRefused } from "../../platform/http/outbound.ts";

type AgentProblem =
  | SignatureProblem
  | "invalid_profile_url"
  | "profile_unreachable"
  | "profile_malformed"
  | "profile_not_trusted";

/** The status of each refusal as the Universal Commerce Protocol specifies it. */
export const agentProblems = {
  signature_missing: 401,
  signature_invalid: 401,
  key_not_found: 401,
  digest_mismatch: 400,
  algorithm_unsupported: 400,
  invalid_profile_url: 400,
  profile_unreachable: 424,
  profile_malformed: 422,
  profile_not_trusted: 403,
} as const satisfies Record<AgentProblem, number>;

/** An agent that is not admitted. */
export class AgentRefused extends Error {
  readonly code: AgentProblem;
  readonly status: (typeof agentProblems)[AgentProblem];

  constructor(code: AgentProblem, message: string) {
    super(message);
    this.code = code;
    this.status = agentProblems[code];
  }
}

const Config = z.object({ webhook_url: z.string().max(2_000).optional().catch(undefined) });

const Capability = z.object({ version: z.string(), config: Config.optional().catch(undefined) });

const Keys = z.array(z.looseObject({ kid: z.string().min(1), kty: z.string() })).default([]);

const ofProtocol = <Value>(capabilities: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(capabilities).filter(([name]) => /^dev\.ucp\.(shopping|common)\./.test(name)));

/** A platform's profile, reduced to the parts that a shop uses. */
const Profile = z
  .object({
    ucp: z.object({
      version: z.string(),
      capabilities: z.record(z.string(), z.array(Capability)).default({}).transform(ofProtocol),
    }),
    keys: Keys,
    // The name of the keys until version 2026-04-08 of the protocol.
    signing_keys: Keys,
  })
  .transform(({ ucp, keys, signing_keys }) => ({ ...ucp, keys: [...keys, ...signing_keys] as PublishedKey[] }));

/** The profile of an agent's platform, by its URL. */
export type AgentProfile = z.output<typeof Profile> & { url: string; host: string };

/** A profile and the time until which it is fresh. `text` is the JSON of the parts that the shop uses. `isNew` is true until it is stored. */
export type FetchedProfile = {
  profile: AgentProfile;
  text: string;
  fetchedAt: number;
  expiresAt: number;
  isNew: boolean;
};

const MOST_BYTES = 256 * 1024;
const MOST_STORED = 16 * 1024;

const MINUTE = 60_000;

/** Shortest and longest time for which a profile is used without being fetched again, whatever its Cache-Control says. */
export const FRESH_MS = { least: MINUTE, most: 60 * MINUTE };

/** Maximum length of a profile's URL, which is stored with everything that the agent stores. */
const MOST_URL = 500;

/** Refuses a URL that is not public https, before its name is resolved. */
export function requireProfileUrl(text: string, resolver: Resolver): URL {
  const refusal = text.length > MOST_URL ? "is too long" : refusalOfUrl(text, resolver);
  if (refusal !== null) throw new AgentRefused("invalid_profile_url", `The profile's address ${refusal}`);
  return new URL(text);
}

/** Fetches a profile. Follows no redirects, and reads a limited number of bytes. */
export async function fetchProfile(url: URL, resolver: Resolver): Promise<FetchedProfile> {
  const fetchedAt = Date.now();
  const { text: sent, cacheControl } = await fetchText(url, resolver);
  const profile = parseProfile(url, sent);
  const { version, capabilities, keys } = profile;
  const text = JSON.stringify({ ucp: { version, capabilities }, keys });
  if (text.length > MOST_STORED) {
    throw new AgentRefused("profile_malformed", "The keys and capabilities of the profile exceed 16 kB");
  }
  const age = Math.min(Math.max(maxAgeOf(cacheControl) * 1000, FRESH_MS.least), FRESH_MS.most);
  return { profile, text, fetchedAt, expiresAt: fetchedAt + age, isNew: true };
}

async function fetchText(url: URL, resolver: Resolver) {
  try {
    return await fetchDocument(url, { agent: "Storefront-Agents", mostBytes: MOST_BYTES, resolver });
  } catch (error) {
    if (error instanceof UrlRefused)
      throw new AgentRefused("invalid_profile_url", `The profile's address ${error.message}`);
    throw new AgentRefused(
      "profile_unreachable",
      "The profile must answer 200 within 5 s, without a redirect, with at most 256 kB",
    );
  }
}

/** Reads a profile's JSON. Unknown keys and capabilities remain in it. */
export function parseProfile(url: URL, text: string): AgentProfile {
  const { success, data } = Profile.safeParse(parsedJson(text));
  if (!success)
    throw new AgentRefused("profile_malformed", "The profile is not JSON, or lacks the members of a UCP profile");
  return { ...data, url: url.href, host: url.host };
}
