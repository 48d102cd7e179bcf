import type { Consents } from "../checkout/orders/sessions/content.ts";

/**
 * How a version of the protocol writes what differs between versions. Requests need no mapping, because fields of one
 * version are optional or unknown in the others.
 */
export type VersionMapping = {
  version: string;
  /** The capabilities of the shop, each with those that it extends. */
  capabilities: Readonly<Record<string, readonly string[]>>;
  /** Folder of the pages about capabilities of an area that extend no other, in the specification. */
  pages: (area: string) => string;
  consents: (consents: Consents) => object;
  /** Text about an option of fulfillment. */
  description: (plain: string) => unknown;
  /** A destination of a checkout. */
  destination: (address: object) => object;
  /** How a variant of a catalogue is shipped, if catalogues say so. */
  shipping: (availability: object) => object;
  /** The policies that the shop's pages describe. */
  policies: (links: readonly { type: string; url: string; title: string }[]) => object;
  /** The order of a checkout whose payment is in progress. */
  orderInProgress: (order: object) => object;
};

const ROOT = "dev.ucp.shopping";

export const IDENTITY_LINKING = "dev.ucp.common.identity_linking";

/** The capabilities that are the same in each version. */
export const commonCapabilities = {
  [`${ROOT}.catalog.search`]: [],
  [`${ROOT}.catalog.lookup`]: [],
  [`${ROOT}.cart`]: [],
  [`${ROOT}.checkout`]: [],
  [`${ROOT}.order`]: [],
  [`${ROOT}.discount`]: [`${ROOT}.cart`, `${ROOT}.checkout`],
  [IDENTITY_LINKING]: [],
} as const;
