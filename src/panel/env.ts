import type { Context } from "hono";
import type { AppEnv } from "../platform/auth/app-env.ts";
import type { UserCaller } from "../platform/auth/caller.ts";
import type { Values } from "./forms/kinds.ts";

/** Context of the panel's pages: a member of staff is signed in. */
export type PanelEnv = AppEnv & {
  Variables: {
    caller: UserCaller;
    /** Key of a form that takes effect once, however often its button is clicked. */
    idempotencyKey: string | undefined;
    /** Values of a form sent after the session ended, once its sender signed in again. */
    savedForm: Values | null;
  };
};

/** Context of a page shown with or without a session. */
export type PageContext = Context<AppEnv> | Context<PanelEnv>;

/** True if the request comes from the panel's script, which gets JSON, including errors. */
export const asksForJson = (c: PageContext): boolean => c.req.header("Accept") === "application/json";
