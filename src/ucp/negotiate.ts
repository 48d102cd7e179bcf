import type { AgentProfile } from "../integrations/agents/profile.ts";
import { UCP_VERSION, UcpError } from "./protocol.ts";

// Both sides publish what they can do. The shop picks what they have in common, for each request.

const ROOT = "dev.ucp.shopping";

/** The capabilities of the shop by their names in the protocol, each with those that it extends. */
export const shopCapabilities = {
  [`${ROOT}.catalog.search`]: [],
  [`${ROOT}.catalog.lookup`]: [],
  [`${ROOT}.cart`]: [],
  [`${ROOT}.checkout`]: [],
  [`${ROOT}.order`]: [],
  [`${ROOT}.fulfillment`]: [`${ROOT}.checkout`],
  [`${ROOT}.discount`]: [`${ROOT}.cart`, `${ROOT}.checkout`],
  [`${ROOT}.buyer_consent`]: [`${ROOT}.checkout`],
} as const satisfies Record<string, readonly string[]>;

export type RootCapability = "catalog.search" | "catalog.lookup" | "cart" | "checkout" | "order";

export type ActiveCapabilities = ReadonlySet<string>;

/** Refuses an agent of another version, with the sentence that names ours. */
export function requireProtocolVersion(version: string): void {
  if (version === UCP_VERSION) return;
  const content = `Protocol version ${version} is not supported. This business supports version ${UCP_VERSION}.`;
  throw new UcpError("version_unsupported", content);
}

/**
 * The capabilities that both sides have at one version. An extension without any of its parents is left out. All of the shop's
 * if nothing is known of the agent.
 */
export function negotiate(profile: Pick<AgentProfile, "version" | "capabilities"> | null): ActiveCapabilities {
  const mine = Object.entries<readonly string[]>(shopCapabilities);
  if (!profile) return new Set(Object.keys(shopCapabilities));
  const { version, capabilities } = profile;
  requireProtocolVersion(version);
  const common = mine.filter(([name]) => capabilities[name]?.some(({ version }) => version === UCP_VERSION));
  const names = new Set(common.map(([name]) => name));
  return new Set(
    common
      .filter(([, parents]) => parents.length === 0 || parents.some((name) => names.has(name)))
      .map(([name]) => name),
  );
}

/** True if both sides have an extension. */
export const extendsWith = (active: ActiveCapabilities, name: "fulfillment" | "discount" | "buyer_consent"): boolean =>
  active.has(`${ROOT}.${name}`);

export const offers = (active: ActiveCapabilities, root: RootCapability): boolean => active.has(`${ROOT}.${root}`);

/** The capabilities that matter for answers about `root`, as each answer lists them. */
const capabilitiesFor = (root: RootCapability, active: ActiveCapabilities) =>
  Object.fromEntries(
    Object.entries<readonly string[]>(shopCapabilities)
      .filter(([name, parents]) => active.has(name) && [name, ...parents].includes(`${ROOT}.${root}`))
      .map(([name]) => [name, [{ version: UCP_VERSION }]]),
  );

/** The head of an answer about `root`. */
export const ucpOf = (root: RootCapability, active: ActiveCapabilities) => ({
  version: UCP_VERSION,
  status: "success" as const,
  capabilities: capabilitiesFor(root, active),
});
