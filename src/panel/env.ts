import type { Context } from "hono";
import type { UserCaller } from "../auth/caller.ts";
import type { AppEnv } from "../env.ts";

/** What the panel's pages work with: an administrator is signed in, and a form that is sent once has its key. */
export type PanelEnv = AppEnv & { Variables: { caller: UserCaller; idempotencyKey: string | undefined } };

/** Whether or not somebody is signed in: what a page that is shown to both works with. */
export type PageContext = Context<AppEnv> | Context<PanelEnv>;

/** Whether the panel's script asks, for itself to read: it is answered as programs are, refusals too. */
export const asksForJson = (c: PageContext): boolean => c.req.header("Accept") === "application/json";
