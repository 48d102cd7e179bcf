import type { Next } from "hono";
import { badRequest, fieldError } from "../../domain/errors.ts";
import { connect, type Database } from "./client.ts";

/** The position of a caller's last write in D1's history. Sending it back makes the next read at least as recent. */
export const BOOKMARK_HEADER = "x-d1-bookmark";

/** The format of a D1 bookmark. */
export const BOOKMARK = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;

/** The caller's bookmark, if one was sent. */
function bookmarkOf(headers: Headers): string | undefined {
  const bookmark = headers.get(BOOKMARK_HEADER) || undefined;
  if (bookmark === undefined || BOOKMARK.test(bookmark)) return bookmark;
  throw badRequest(
    fieldError(BOOKMARK_HEADER, "invalid_format", "is not a bookmark. Send one from an earlier response"),
  );
}

/** The part of a Context that `database` needs, with any variables of gates. */
type Opening = { env: Env; req: { raw: Request }; res: Response; set: (name: "db", db: Database) => void };

/**
 * Gives the request its database: a replica at least as recent as the caller's bookmark, or the primary without one. The
 * response carries the new bookmark.
 */
export async function database(c: Opening, next: Next): Promise<void> {
  const session = c.env.DB.withSession(bookmarkOf(c.req.raw.headers) ?? "first-primary");
  c.set("db", connect(session));
  await next();
  const bookmark = session.getBookmark();
  if (bookmark !== null) c.res.headers.set(BOOKMARK_HEADER, bookmark);
}
