import * as z from "zod";
import { documented, trimmed } from "./fields.ts";

const LONGEST = 254;

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
  .max(LONGEST, { abort: true })
  .toLowerCase()
  .overwrite(withAsciiDomain)
  .max(LONGEST)
  .pipe(z.email({ pattern: ADDRESS }))
  .meta(documented({ type: "string", format: "email", maxLength: LONGEST }));

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
