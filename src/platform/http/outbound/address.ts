import ipaddr from "ipaddr.js";

/** Which addresses this deployment may call beside the public ones. */
export type AddressRules = {
  /** Its own hosts, which would answer to themselves. */
  ownHosts: readonly string[];
  /** Whether http://localhost may be called: for development. */
  allowsLocalhost: boolean;
};

/** Names that mean a machine nearby: RFC 6761, 6762, 8375 and the private-use name of ICANN. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa)$/;

const DEVELOPMENT_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1"]);

/** All of IPv6 that is given out; `::127.0.0.1` and others lie outside of it, whatever their range is called. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/** Whether the address is one of the public internet, and no other in disguise: IPv4 inside IPv6, NAT64, 6to4, Teredo. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv6 && !address.match(GLOBAL_UNICAST)) return false;
  return address.range() === "unicast";
}

/** The host that URLs name, without what makes one name look like another. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "").replace(/\.+$/, "");

/**
 * What is wrong with an address to call, null if nothing is as far as its text tells. `URL` has written IPv4 in octal, decimal
 * and hexadecimal as usual, so it is not known by its looks here.
 */
export function refusalOfUrl(text: string, { ownHosts, allowsLocalhost }: AddressRules): string | null {
  const url = URL.parse(text);
  if (!url) return "must be an address such as https://example.com/path";
  if (url.username !== "" || url.password !== "") return "must not contain a user name or a password";
  if (allowsLocalhost && /^https?:$/.test(url.protocol) && DEVELOPMENT_HOSTS.has(url.hostname)) return null;
  if (url.protocol !== "https:") return "must begin with https://";
  const host = hostOf(url);
  if (ipaddr.isValid(host)) return isPublicAddress(host) ? null : "must not be a private or reserved address";
  if (!host.includes(".") || LOCAL_NAME.test(host)) return "must be a name of the public internet";
  return ownHosts.includes(host) ? "must not be this shop's own address" : null;
}

/** The name that has to be resolved before the address may be called; null where it has none. */
export function nameToResolve(text: string): string | null {
  const url = new URL(text);
  const host = hostOf(url);
  return ipaddr.isValid(host) || DEVELOPMENT_HOSTS.has(host) ? null : host;
}
