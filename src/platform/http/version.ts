import * as z from "zod";
import { conflict, preconditionFailed } from "../../domain/errors.ts";
import { ok } from "./envelope.ts";

// Optimistic concurrency: clients that send the ETag they saw in If-Match cannot overwrite changes they did not see.

/** `If-Match` as sent: an ETag, a list of ETags, or `*`. */
export const IfMatch = z.object({
  "if-match": z
    .string()
    .max(500)
    .optional()
    .describe("ETag of the version that was read. Returns 412 if the resource has changed since"),
});
export type IfMatch = z.output<typeof IfMatch>;

/** The ETag of a row's version. */
export const etagOf = (updatedAt: number): string => `"${updatedAt.toString(36)}"`;

/** Refuses a request made for another version of the row. */
export function requireVersion({ "if-match": header }: IfMatch, updatedAt: number): void {
  requireMatch(header, etagOf(updatedAt));
}

/**
 * Refuses a request whose `If-Match` names other content. A weak ETag is compared by its opaque part, unlike in RFC 9110
 * (13.1.1): Cloudflare makes ETags weak when it compresses a response (developers.cloudflare.com/cache/reference/etag-headers),
 * and the opaque part still names the version.
 */
export function requireMatch(header: string | null | undefined, etag: string): void {
  if (header === undefined || header === null || header.trim() === "*") return;
  if (!header.split(",").some((candidate) => strongForm(candidate.trim()) === etag)) throw preconditionFailed();
}

const strongForm = (etag: string): string => (etag.startsWith("W/") ? etag.slice(2) : etag);

/** The error for a violated precondition (db/statements.ts): another edit came between reading and writing. */
export const editedMeanwhile = {
  row_changed: () => conflict("changed_meanwhile", "The resource was changed at the same time. Read it again"),
};

/** A response with the ETag to send back in If-Match. */
export function versioned<Data>(
  c: Parameters<typeof ok<Data>>[0],
  message: string,
  row: { updatedAt: number },
  data: NoInfer<Data>,
) {
  c.header("ETag", etagOf(row.updatedAt));
  return ok(c, message, data);
}

/** True if `If-None-Match` names the current content. */
export function isNotModified(headers: Headers, etag: string): boolean {
  const known = headers.get("If-None-Match");
  if (known === null) return false;
  return known.split(",").some((candidate) => ["*", etag, `W/${etag}`].includes(candidate.trim()));
}
