import type { Context } from "hono";
import type { UserCaller } from "../auth/caller.ts";
import type { AppEnv } from "../env.ts";
import type { Values } from "./forms/values.ts";

/** What the panel's pages work with: an administrator is signed in. */
export type PanelEnv = AppEnv & {
  Variables: {
    caller: UserCaller;
    /** Of a form that is sent once, however often it is clicked. */
    idempotencyKey: string | undefined;
    /** What a form held that came when the session had ended, once somebody signed in again. */
    savedForm: Values | null;
  };
};

/** Whether or not somebody is signed in: what a page that is shown to both works with. */
export type PageContext = Context<AppEnv> | Context<PanelEnv>;

/** Whether the panel's script asks, for itself to read: it is answered as programs are, refusals too. */
export const asksForJson = (c: PageContext): boolean => c.req.header("Accept") === "application/json";
