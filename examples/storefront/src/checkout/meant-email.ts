/** Providers whose misspelled domains are recognized, and domains of other providers that differ by one letter only. */
const providers = ["gmail.com", "googlemail.com", "hotmail.com", "icloud.com", "outlook.com", "web.de", "yahoo.com"];
const others = ["aol.com", "email.com", "mail.com", "ymail.com"];

/** The address that a buyer probably meant. Undefined if the written one looks right, or like no address. */
export function meantEmail(written = ""): string | undefined {
  const [, name, domain] = /^([^\s@]+)@([^\s@]+)$/.exec(written.trim()) ?? [];
  if (name === undefined || domain === undefined) return undefined;
  const meant = meantDomain(domain.toLowerCase().replaceAll(",", "."));
  return meant === domain.toLowerCase() ? undefined : `${name}@${meant}`;
}

function meantDomain(domain: string): string {
  if (others.includes(domain)) return domain;
  if (!domain.includes(".")) return providers.find((known) => known.startsWith(`${domain}.`)) ?? `${domain}.com`;
  return providers.find((known) => isOneLetterOff(known, domain)) ?? domain;
}

/** True for equal words, and those of which one letter is wrong, missing, added or swapped with the next. */
function isOneLetterOff(one: string, other: string): boolean {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const [rest, otherRest] = [one.slice(start), other.slice(start)];
  return [
    [rest.slice(1), otherRest.slice(1)],
    [rest.slice(1), otherRest],
    [rest, otherRest.slice(1)],
    [`${rest[1]}${rest[0]}${rest.slice(2)}`, otherRest],
  ].some(([left, right]) => left === right);
}
