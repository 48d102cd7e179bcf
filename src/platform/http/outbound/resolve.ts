import * as z from "zod";
import { type AddressRules, isPublicAddress, nameToResolve, refusalOfUrl } from "./address.ts";

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
export class Unresolved extends Error {}

export type Resolver = AddressRules & { dnsUrl: string };

/** The problem with an address to call. Null if there is none. Throws `Unresolved` if the name cannot be resolved. */
export async function refusalOf(text: string, resolver: Resolver): Promise<string | null> {
  const refusal = refusalOfUrl(text, resolver);
  const name = refusal === null ? nameToResolve(text) : null;
  if (name === null) return refusal;
  const [v4, v6] = await Promise.all([query(resolver, name, "A"), query(resolver, name, "AAAA")]);
  const addresses = [...v4, ...v6];
  if (addresses.length === 0) throw new Unresolved(`${name} has no address`);
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
    throw new Unresolved(`${name} could not be resolved`, { cause: error });
  }
}
