import type { Database } from "../db/client.ts";
import type { Settings } from "../settings/settings.ts";
import { type Author, authorOf } from "./author.ts";
import type { Caller } from "./caller.ts";

/**
 * First argument of every function that writes; the second is its input. Holds the bindings, the request's database session,
 * the caller, the settings, and the author with the time and the request id. A function asks for the members that it uses:
 * `Pick<WriteContext, "db" | "author">`, and for the callers that a gate admits: `Pick<WriteContext<UserCaller>, "caller">`.
 */
export type WriteContext<Who extends Caller = Caller> = {
  env: Env;
  db: Database;
  caller: Who;
  settings: Settings;
  author: Author;
};

/** The context of a request, behind the gate of its route. */
export const writeContextOf = <Who extends Caller>(
  c: Parameters<typeof authorOf>[0] & { env: Env; var: Pick<WriteContext<Who>, "db" | "caller"> },
): WriteContext<Who> => ({
  env: c.env,
  db: c.var.db,
  caller: c.var.caller,
  settings: c.var.settings,
  author: authorOf(c),
});
