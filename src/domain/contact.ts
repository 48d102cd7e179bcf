import * as z from "zod";
import { badRequest, type FieldError, fieldError } from "./errors.ts";
import { documented, lineOrEmpty, plainCharacters, trimmed } from "./fields.ts";

const LONGEST_EMAIL = 254;

/** An address with its domain in ASCII, as mail servers know it: `jo@bücher.example` becomes `jo@xn--bcher-kva.example`. */
function withAsciiDomain(email: string): string {
  const [, local, domain] = /^(.*@)([\p{L}\p{M}\p{N}.。．｡-]+)$/u.exec(email) ?? [];
  // ASCII domains stay unchanged: the URL parser would read 1.2 as 1.0.0.2.
  if (local === undefined || domain === undefined || !/[^a-z0-9.-]/.test(domain)) return email;
  return local + (URL.parse(`http://${domain}`)?.hostname ?? domain);
}

/** HTML's rule for `type=email`, with a dot in the domain. */
const ADDRESS = new RegExp(z.regexes.html5Email.source.replace("^", "^(?=[^@]*@.*[.])"));

/**
 * An e-mail address by HTML's rule for `type=email`, with a public domain. Stored in lower case, so that no two accounts
 * differ only in case.
 */
export const Email = z
  .string()
  .overwrite(trimmed)
  // Checked before the domain is converted, which is slow for long ones and can make it longer.
  .max(LONGEST_EMAIL, { abort: true })
  .toLowerCase()
  .overwrite(withAsciiDomain)
  .max(LONGEST_EMAIL)
  .pipe(z.email({ pattern: ADDRESS }))
  .meta(documented({ type: "string", format: "email", maxLength: LONGEST_EMAIL }));

/** Names reserved by RFC 2606 and RFC 6761 for examples and tests. Neither they nor their subdomains have mailboxes. */
const RESERVED = ["test", "example", "invalid", "localhost", "example.com", "example.net", "example.org"];

/** True for an address at a domain that nobody can own, such as `jo@mail.example`. */
export function isReservedDomain(email: string): boolean {
  const domain = email
    .slice(email.lastIndexOf("@") + 1)
    .toLowerCase()
    .replace(/\.$/, "");
  return RESERVED.some((reserved) => domain === reserved || domain.endsWith(`.${reserved}`));
}

type Choice = { allowsReservedDomains: boolean };

/** The error for a new address at a reserved domain. Null if the address is allowed. */
export const reservedDomainError = (
  { allowsReservedDomains }: Choice,
  email: string,
  field = "email",
): FieldError | null =>
  !allowsReservedDomains && isReservedDomain(email)
    ? fieldError(field, "invalid", "belongs to a domain that is reserved for examples and tests")
    : null;

/** Refuses a new address of an account or guest if its domain is reserved. */
export function refuseReservedDomain(settings: Choice, email: string, field?: string): void {
  const error = reservedDomainError(settings, email, field);
  if (error) throw badRequest(error);
}

/** Longer texts are not telephone numbers, and the patterns would be slow to tell. */
const LONGEST_PHONE = 40;

/** An extension at the end, in the words and signs that people use. */
const EXTENSION = /[\s,;]*(?:extension|ext|poste|int|dw|доб|内線|x|#|,)\s*[.:=]?\s*(\d{1,8})\s*$/iu;

/** A number of 5 to 15 digits, the E.164 maximum, and the characters that people put between them. */
const NUMBER = /^(?:tel:)?\s*\(?\s*(\+|00)?(?:[\s()./·•-]*\d){5,15}[\s()./·•-]*$/i;

/**
 * A telephone number reduced to its digits, with `+` before a country code and `;ext=` before an extension: `+442079460018`.
 * Null if the text is no telephone number.
 */
export function normalizePhone(written: string): string | null {
  const plain = plainCharacters(written);
  const [matched = "", extension] = EXTENSION.exec(plain) ?? [];
  const number = plain.slice(0, plain.length - matched.length);
  const [, prefix] = NUMBER.exec(number) ?? [];
  if (!NUMBER.test(number)) return null;
  // "(0)" is dialled only within the country.
  const digits = (prefix ? number.replace(/\(\s*0\s*\)/, "") : number).replaceAll(/\D/g, "");
  const international = prefix === "00" ? digits.slice(2) : digits;
  return `${prefix ? "+" : ""}${international}${extension ? `;ext=${extension}` : ""}`;
}

/** A telephone number as people write it, with or without country code and extension. It is stored as written. */
export const Phone = lineOrEmpty(LONGEST_PHONE).refine(
  (written) => normalizePhone(written) !== null,
  "must be a phone number, such as +44 117 496 0123",
);
