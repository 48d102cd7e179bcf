import { type AddressedRequest, clientAddress } from "../../../platform/auth/client-address.ts";

/** From where, and by what software, a session is used: so that its user recognizes it. */
export type SessionClient = { address: string | null; userAgent: string | null };

const LONGEST_AGENT = 300;

/** What a server says of itself tells nothing of the shopper for whom it asks. */
export const sessionClientOf = (c: AddressedRequest): SessionClient => ({
  address: clientAddress(c) ?? null,
  userAgent:
    c.var.identity?.kind === "api_key" ? null : (c.req.raw.headers.get("User-Agent")?.slice(0, LONGEST_AGENT) ?? null),
});
