import * as z from "zod";
import { documented, trimmed } from "./fields.ts";

const LONGEST = 254;

/** An address with the domain in ASCII, as mail servers know it: `jo@bücher.example` becomes `jo@xn--bcher-kva.example`. */
function withAsciiDomain(email: string): string {
  const [, local, domain] = /^(.*@)([\p{L}\p{M}\p{N}.。．｡-]+)$/u.exec(email) ?? [];
  // An ASCII domain stays as it is: the parser of addresses would read 1.2 as 1.0.0.2.
  if (local === undefined || domain === undefined || !/[^a-z0-9.-]/.test(domain)) return email;
  return local + (URL.parse(`http://${domain}`)?.hostname ?? domain);
}

/** HTML's rule for `type=email`, with a dot in the domain. */
const ADDRESS = new RegExp(z.regexes.html5Email.source.replace("^", "^(?=[^@]*@.*[.])"));

/** An e-mail address by the rule of HTML's `type=email`, with a domain that can be reached from elsewhere. Stored in lower case, so that no two accounts differ only in case. */
export const Email = z
  .string()
  .overwrite(trimmed)
  // Before the domain is read, which takes long where it is long; its ASCII form can be longer.
  .max(LONGEST, { abort: true })
  .toLowerCase()
  .overwrite(withAsciiDomain)
  .max(LONGEST)
  .pipe(z.email({ pattern: ADDRESS }))
  .meta(documented({ type: "string", format: "email", maxLength: LONGEST }));

/** Names that RFC 2606 and RFC 6761 keep for examples and tests: no mailbox is at them, nor below them. */
const RESERVED = ["test", "example", "invalid", "localhost", "example.com", "example.net", "example.org"];

/** True for an address at a domain that nobody can own, such as `jo@mail.example`. */
export function isReservedDomain(email: string): boolean {
  const domain = email
    .slice(email.lastIndexOf("@") + 1)
    .toLowerCase()
    .replace(/\.$/, "");
  return RESERVED.some((reserved) => domain === reserved || domain.endsWith(`.${reserved}`));
}
