import { type AddressRules, refusalOfUrl } from "../../../platform/http/outbound/address.ts";

const MOST_CHARACTERS = 2_000;

/** Most shops that have addresses without TLS answer with it, too. */
export const secured = (url: string): string =>
  url.replace(/^http:\/\/(?!localhost[:/]|127\.0\.0\.1[:/])/i, "https://");

/** What is wrong with an address as far as its text tells, null if nothing is. */
export const refusalOfAddress = (url: string, rules: AddressRules): string | null =>
  url.length > MOST_CHARACTERS ? `must have at most ${MOST_CHARACTERS} characters` : refusalOfUrl(secured(url), rules);
