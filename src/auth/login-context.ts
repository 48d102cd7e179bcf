import type { Context } from "hono";
import { type Author, authorAs } from "../audit/entry.ts";
import { inBackground } from "../http/background.ts";
import type { Caller } from "./caller.ts";
import { type AddressedRequest, loginOrigin } from "./client-address.ts";
import type { SessionUser } from "./users/queries.ts";

/** How a login is attempted: from where, by whom, and which accounts it admits. For any other account the password counts as wrong. */
export type LoginContext = {
  origin: string | null;
  author: Author;
  admits: (user: SessionUser) => boolean;
  /** For what the answer must not wait for: its time would tell whose account it is. */
  afterwards: (what: string, work: Promise<unknown>) => void;
};

type Asking = AddressedRequest & Pick<Context, "executionCtx"> & Parameters<typeof authorAs>[1];

export const loginContextOf = (c: Asking, caller: Caller, admits: LoginContext["admits"]): LoginContext => ({
  origin: loginOrigin(c),
  author: authorAs(caller, c),
  admits,
  afterwards: (what, work) => inBackground(c, what, work),
});
