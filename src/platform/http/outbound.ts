import ipaddr from "ipaddr.js";
import * as z from "zod";

/** Addresses that this deployment may call in addition to public ones. */
export type AddressRules = {
  /** Its own hosts, which must not call themselves. */
  ownHosts: readonly string[];
  /** True if http://localhost may be called, for development. */
  allowsLocalhost: boolean;
};

/** Names of internal machines: RFC 6761, 6762, 8375, and ICANN's private-use name. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa)$/;

const DEVELOPMENT_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1"]);

/** All assigned IPv6 addresses. Others such as `::127.0.0.1` are outside, whatever their range is called. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/** True for a public internet address that does not embed another one: IPv4 in IPv6, NAT64, 6to4, Teredo. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv6 && !address.match(GLOBAL_UNICAST)) return false;
  return address.range() === "unicast";
}

/** The host of a URL in normalized spelling. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "").replace(/\.+$/, "");

/**
 * The error for a URL to call, judged by its text. Null if there is none. `URL` normalizes octal, decimal and
 * hexadecimal IPv4.
 */
export function refusalOfUrl(text: string, { ownHosts, allowsLocalhost }: AddressRules): string | null {
  const url = URL.parse(text);
  if (!url) return "must be a URL such as https://example.com/path";
  if (url.username !== "" || url.password !== "") return "must not contain a user name or a password";
  if (allowsLocalhost && /^https?:$/.test(url.protocol) && DEVELOPMENT_HOSTS.has(url.hostname)) return null;
  if (url.protocol !== "https:") return "must begin with https://";
  const host = hostOf(url);
  if (ipaddr.isValid(host)) return isPublicAddress(host) ? null : "must not be a private or reserved address";
  if (!host.includes(".") || LOCAL_NAME.test(host)) return "must be a public host name";
  return ownHosts.includes(host) ? "must not be this shop's own address" : null;
}

/** The name to resolve before calling the address. Null if it has none. */
function nameToResolve(text: string): string | null {
  const url = new URL(text);
  const host = hostOf(url);
  return ipaddr.isValid(host) || DEVELOPMENT_HOSTS.has(host) ? null : host;
}

// Resolves names by DNS over HTTPS, the only way in a Worker:
// https://developers.cloudflare.com/1.1.1.1/encryption/dns-over-https/make-api-requests/dns-json/

/** Type numbers of A and AAAA records: https://www.iana.org/assignments/dns-parameters */
const ADDRESS_RECORDS = { A: 1, AAAA: 28 } as const;
type RecordType = keyof typeof ADDRESS_RECORDS;

const NO_ERROR = 0;
const TIMEOUT_MS = 5_000;

const DnsAnswer = z.object({
  Status: z.int(),
  Answer: z.array(z.object({ type: z.int(), data: z.string() })).default([]),
});

/** The name could not be resolved, so its addresses are unknown. */
export class UnresolvedHost extends Error {}

export type Resolver = AddressRules & { dnsUrl: string };

/** The error for a URL to call. Null if there is none. Throws `Unresolved` if the name cannot be resolved. */
export async function refusalOf(text: string, resolver: Resolver): Promise<string | null> {
  const refusal = refusalOfUrl(text, resolver);
  const name = refusal === null ? nameToResolve(text) : null;
  if (name === null) return refusal;
  const [v4, v6] = await Promise.all([query(resolver, name, "A"), query(resolver, name, "AAAA")]);
  const addresses = [...v4, ...v6];
  if (addresses.length === 0) throw new UnresolvedHost(`${name} has no address`);
  return addresses.every(isPublicAddress) ? null : "must not lead to a private or reserved address";
}

async function query({ dnsUrl }: Resolver, name: string, type: RecordType): Promise<string[]> {
  const url = new URL(dnsUrl);
  url.searchParams.set("name", name);
  url.searchParams.set("type", type);
  try {
    const response = await fetch(url, {
      headers: { Accept: "application/dns-json" },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { Status, Answer } = DnsAnswer.parse(await response.json());
    if (!response.ok || Status !== NO_ERROR) throw new Error(`the answer was ${response.status}, ${Status}`);
    return Answer.filter((record) => record.type === ADDRESS_RECORDS[type]).map(({ data }) => data);
  } catch (error) {
    throw new UnresolvedHost(`${name} could not be resolved`, { cause: error });
  }
}

// Reading responses of other servers, which may be of any size.

/** The URL of a document leads where this deployment must not call. */
export class UrlRefused extends Error {}

type DocumentLimits = { agent: string; mostBytes: number; resolver: Resolver; timeoutMs?: number; sent?: object };

/** Fetches a public JSON document as text, or the answer to a document that is `sent`. Follows no redirects, and reads a limited number of bytes. */
export async function fetchDocument(
  url: URL,
  { agent, mostBytes, resolver, timeoutMs = TIMEOUT_MS, sent }: DocumentLimits,
) {
  const refusal = await refusalOf(url.href, resolver);
  if (refusal !== null) throw new UrlRefused(refusal);
  const response = await fetch(url, {
    ...(sent && { method: "POST", body: JSON.stringify(sent) }),
    headers: { Accept: "application/json", "User-Agent": agent, ...(sent && { "Content-Type": "application/json" }) },
    redirect: "manual",
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status !== 200) throw new Error(`the answer was ${response.status}`);
  return {
    text: await readAtMost(response.body, mostBytes),
    cacheControl: response.headers.get("Cache-Control"),
  };
}

/** Reads a body as text. Throws if it is longer than `most` bytes. */
async function readAtMost(body: ReadableStream<Uint8Array> | null, most: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body ?? []) {
    length += part.length;
    // Leaving the loop cancels the stream.
    if (length > most) throw new Error(`The body is longer than ${most} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** Seconds of a Cache-Control header's max-age, 0 without one or if nothing may be stored. */
export function maxAgeOf(cacheControl: string | null): number {
  if (/\bno-(store|cache)\b/i.test(cacheControl ?? "")) return 0;
  return Number(/\bmax-age=(\d{1,9})\b/i.exec(cacheControl ?? "")?.[1] ?? 0);
}
