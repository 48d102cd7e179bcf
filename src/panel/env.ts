import type { Context } from "hono";
import type { AppEnv } from "../platform/auth/app-env.ts";
import type { UserCaller } from "../platform/auth/caller.ts";
import type { Values } from "./forms/values.ts";

/** What the panel's pages work with: a member of staff is signed in. */
export type PanelEnv = AppEnv & {
  Variables: {
    caller: UserCaller;
    /** The key of a form that takes effect once, however often its button is clicked. */
    idempotencyKey: string | undefined;
    /** The values of a form that was sent after the session had ended, once its sender has signed in again. */
    savedForm: Values | null;
  };
};

/** The Context of a page that is shown with and without a session. */
export type PageContext = Context<AppEnv> | Context<PanelEnv>;

/** Whether the panel's script asks, for itself to read: it is answered as programs are, refusals too. */
export const asksForJson = (c: PageContext): boolean => c.req.header("Accept") === "application/json";
