import * as z from "zod";
import { conflict, preconditionFailed } from "../../domain/errors.ts";
import { ok } from "./envelope.ts";

// Two people edit the same thing: who sends the ETag that they saw in If-Match cannot overwrite what they did not see.

/** `If-Match` as sent: an ETag, a list of them, or `*`. */
export const IfMatch = z.object({
  "if-match": z
    .string()
    .max(500)
    .optional()
    .describe("ETag of the version that was read. Returns 412 if the resource has changed since"),
});
export type IfMatch = z.output<typeof IfMatch>;

/** What names the version of a row. */
export const etagOf = (updatedAt: number): string => `"${updatedAt.toString(36)}"`;

/** Refuses a request that was made for another version of the row. */
export function requireVersion({ "if-match": header }: IfMatch, updatedAt: number): void {
  requireMatch(header, etagOf(updatedAt));
}

/** Refuses a request whose `If-Match` names other content than there is. A weak ETag names none (RFC 9110, 13.1.1). */
export function requireMatch(header: string | null | undefined, etag: string): void {
  if (header === undefined || header === null || header.trim() === "*") return;
  if (!header.split(",").some((candidate) => candidate.trim() === etag)) throw preconditionFailed();
}

/** The error for a violated precondition (db/precondition.ts): another edit came between reading and writing. */
export const editedMeanwhile = {
  row_changed: () => conflict("changed_meanwhile", "It was changed in the same instant: look at it again"),
};

/** An answer that carries the ETag to send back in If-Match. */
export function versioned<Data>(
  c: Parameters<typeof ok<Data>>[0],
  message: string,
  row: { updatedAt: number },
  data: NoInfer<Data>,
) {
  c.header("ETag", etagOf(row.updatedAt));
  return ok(c, message, data);
}

/** Whether `If-None-Match` names the content that would be sent. */
export function isNotModified(headers: Headers, etag: string): boolean {
  const known = headers.get("If-None-Match");
  if (known === null) return false;
  return known.split(",").some((candidate) => ["*", etag, `W/${etag}`].includes(candidate.trim()));
}
