/** `*.` stands for one label, below a domain of at least two. */
const WILDCARD = /^https?:\/\/\*(\.[^.*:/]+){2,}(:\d+)?$/;

/** The origin of a web site as browsers send it, or null. It may begin with `*.` for one level of subdomains. */
export function canonicalOrigin(text: string): string | null {
  const url = /^https?:\/\/[^/\\?#@\s]+\/?$/i.test(text) ? URL.parse(text) : null;
  if (url === null) return null;
  return url.origin.includes("*") && !WILDCARD.test(url.origin) ? null : url.origin;
}

/** True if the list is empty or holds the origin. A request without one is in no list. */
export function isAllowedOrigin(allowed: readonly string[], origin: string | undefined): boolean {
  if (allowed.length === 0) return true;
  if (origin === undefined) return false;
  return allowed.includes(origin) || allowed.includes(origin.replace(/^(https?:\/\/)[\w-]+\./, "$1*."));
}

/**
 * The origin of the page that sent a request. Browsers send no `Origin` with a read of the page's own origin, but say that it
 * is one, or at least name the page.
 */
export function originOf({ headers, url }: Request): string | undefined {
  const origin = headers.get("Origin");
  if (origin !== null) return origin;
  if (headers.get("Sec-Fetch-Site") === "same-origin") return new URL(url).origin;
  const referer = headers.get("Referer");
  return referer === null ? undefined : URL.parse(referer)?.origin;
}
