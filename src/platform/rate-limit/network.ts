import ipaddr from "ipaddr.js";

/**
 * The owner of an address. An IPv6 customer has a /64 or even a /48, so both are counted: `subnet` is the /64 in the
 * `network`. For IPv4 it is the address.
 */
export type Network = { network: string; subnet: string | null };

/** Null if the text is not an address. */
export function networkOf(text: string | undefined): Network | null {
  if (text === undefined || !ipaddr.isValid(text)) return null;
  const address = ipaddr.process(text);
  if (!(address instanceof ipaddr.IPv6)) return { network: address.toString(), subnet: null };
  return { network: prefix(address, 3), subnet: prefix(address, 4) };
}

const prefix = ({ parts }: ipaddr.IPv6, groups: number): string =>
  parts
    .slice(0, groups)
    .map((part) => part.toString(16))
    .join(":");
