import type { Context } from "hono";
import { type Author, authorAs } from "../audit/entry.ts";
import { inBackground } from "../http/background.ts";
import type { Caller } from "./caller.ts";
import { type Asked, loginOrigin } from "./client-address.ts";
import type { SessionUser } from "./users/queries.ts";

/** Where people sign in: from where, on whose behalf, and which accounts may. To the others it is as if the password were wrong. */
export type Door = {
  origin: string | null;
  author: Author;
  admits: (user: SessionUser) => boolean;
  /** For what the answer must not wait for: its time would tell whose account it is. */
  afterwards: (what: string, work: Promise<unknown>) => void;
};

type Asking = Asked & Pick<Context, "executionCtx"> & Parameters<typeof authorAs>[1];

export const doorOf = (c: Asking, caller: Caller, admits: Door["admits"]): Door => ({
  origin: loginOrigin(c),
  author: authorAs(caller, c),
  admits,
  afterwards: (what, work) => inBackground(c, what, work),
});
