import * as z from "zod";
import { badRequest, fieldError } from "../../../domain/errors.ts";
import type { Database } from "../../../platform/db/client.ts";
import type { LinkPurpose } from "../../../platform/db/schema.ts";
import { findLink, type Link } from "./queries.ts";

/** The token of a link, as an e-mail carries it. */
export const LinkToken = z.string().min(1).max(200);

/** One that was used, has ended, was replaced by a newer one or never was: whoever asks is told the same. */
export const linkEnded = () =>
  badRequest(
    fieldError("token", "link_ended", "is not valid: the link was used, has ended, or a newer one was sent"),
    "The link does not work any more: ask for a new one",
  );

/** The refusal of a batch by `useLink`. */
export const usedMeanwhile = { row_changed: linkEnded };

export async function requireLink(
  db: Database,
  token: string,
  purposes: readonly LinkPurpose[],
  now: number,
): Promise<Link> {
  const link = await findLink(db, token, now);
  if (!link || !purposes.includes(link.purpose)) throw linkEnded();
  return link;
}
