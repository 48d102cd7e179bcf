import type { Database } from "../db/client.ts";
import type { Settings } from "../settings/settings.ts";
import { type Author, authorOf } from "./author.ts";
import type { Caller } from "./caller.ts";

/**
 * First argument of every function that writes; the second is its input. Holds the bindings, the request's database session,
 * the caller, the settings, and the author with the time and the request id. A function asks for the members that it uses:
 * `Pick<WriteContext, "db" | "author">`.
 */
export type WriteContext = { env: Env; db: Database; caller: Caller; settings: Settings; author: Author };

/** The context of a request, behind the gate of its route. */
export const writeContextOf = (
  c: Parameters<typeof authorOf>[0] & { env: Env; var: Pick<WriteContext, "db"> },
): WriteContext => ({
  env: c.env,
  db: c.var.db,
  caller: c.var.caller,
  settings: c.var.settings,
  author: authorOf(c),
});
