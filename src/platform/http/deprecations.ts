/** The end of an operation, in dates of UTC. `see` is the page that names its replacement. */
type Deprecation = { since: string; sunset: string; see: string };

/** Operations that will end, by method and path as in the API's reference: "GET /api/v1/user/files". */
export const deprecations: Record<string, Deprecation> = {};

/** Announces the end of an operation in its responses (RFC 9745, RFC 8594). */
export function announceEnd(headers: Headers, route: string): void {
  const ending = deprecations[route];
  if (!ending) return;
  headers.set("Deprecation", `@${Date.parse(ending.since) / 1000}`);
  headers.set("Sunset", new Date(ending.sunset).toUTCString());
  headers.append("Link", `<${ending.see}>; rel="deprecation"`);
}
