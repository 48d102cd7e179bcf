import ipaddr from "ipaddr.js";

/** Maximum number of entries of a list. */
export const MAX_ALLOWED = 50;

const MAPPED_BITS = 96;

type Range = [ipaddr.IPv4 | ipaddr.IPv6, bits: number];

/** Reads an IPv4 or IPv6 address, or a range in CIDR notation. IPv4-mapped IPv6 is read as IPv4. Null for other texts. */
function rangeOf(text: string): Range | null {
  const [, address = "", length] = /^([\d.]{7,15}|[\da-f:.]{2,45})(?:\/(0|[1-9]\d{0,2}))?$/i.exec(text) ?? [];
  if (address.includes(":") ? !ipaddr.IPv6.isValid(address) : !ipaddr.IPv4.isValidFourPartDecimal(address)) return null;
  const parsed = ipaddr.parse(address);
  const most = parsed.kind() === "ipv4" ? 32 : 128;
  const bits = length === undefined ? most : Number(length);
  if (bits > most) return null;
  if (!(parsed instanceof ipaddr.IPv6) || !parsed.isIPv4MappedAddress()) return [parsed, bits];
  return bits < MAPPED_BITS ? null : [parsed.toIPv4Address(), bits - MAPPED_BITS];
}

const networkOf = ([address, bits]: Range): string => {
  const kind = address.kind() === "ipv4" ? ipaddr.IPv4 : ipaddr.IPv6;
  return kind.networkAddressFromCIDR(`${address}/${bits}`).toString();
};

/**
 * The canonical form of an address or range, or the error. An address with bits beyond its prefix is refused, because
 * it is ambiguous.
 */
export function canonicalRange(text: string): { range: string } | { problem: string } {
  const range = rangeOf(text);
  if (range === null) return { problem: "must be an IPv4 or IPv6 address, or a range such as 203.0.113.0/24" };
  const [address, bits] = range;
  const network = networkOf(range);
  if (bits === (address.kind() === "ipv4" ? 32 : 128)) return { range: network };
  if (network === address.toString()) return { range: `${network}/${bits}` };
  return { problem: `must be ${network}/${bits} for the whole range, or ${address} for the address alone` };
}

/** True if the list is empty or contains the address. No list contains an unknown address. */
export function isAllowedAddress(allowed: readonly string[], address: string | undefined): boolean {
  if (allowed.length === 0) return true;
  const caller = address === undefined ? null : rangeOf(address);
  return caller !== null && allowed.some((entry) => contains(rangeOf(entry), caller));
}

function contains(range: Range | null, [address]: Range): boolean {
  if (range === null || range[0].kind() !== address.kind()) return false;
  return address.match(...range);
}

/** `*.` matches one label, below a domain with at least two. */
const WILDCARD = /^https?:\/\/\*(\.[^.*:/]+){2,}(:\d+)?$/;

/** The origin of a web site as browsers send it, or null. It may begin with `*.` for one level of subdomains. */
export function canonicalOrigin(text: string): string | null {
  const url = /^https?:\/\/[^/\\?#@\s]+\/?$/i.test(text) ? URL.parse(text) : null;
  if (url === null) return null;
  return url.origin.includes("*") && !WILDCARD.test(url.origin) ? null : url.origin;
}

/** True if the list is empty or contains the origin. No list contains a request without an origin. */
export function isAllowedOrigin(allowed: readonly string[], origin: string | undefined): boolean {
  if (allowed.length === 0) return true;
  if (origin === undefined) return false;
  return allowed.includes(origin) || allowed.includes(origin.replace(/^(https?:\/\/)[\w-]+\./, "$1*."));
}

/**
 * The origin of the page that sent a request. Browsers send no `Origin` when a page reads its own origin, but mark the
 * request as same-origin, or at least name the page.
 */
export function originOf({ headers, url }: Request): string | undefined {
  const origin = headers.get("Origin");
  if (origin !== null) return origin;
  if (headers.get("Sec-Fetch-Site") === "same-origin") return new URL(url).origin;
  const referer = headers.get("Referer");
  return referer === null ? undefined : URL.parse(referer)?.origin;
}
