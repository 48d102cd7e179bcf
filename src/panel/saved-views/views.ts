import type { Context } from "hono";
import { readViewsOf } from "../../back-office/saved-views/queries.ts";
import type { ViewedList } from "../../platform/db/schema.ts";
import type { PanelEnv } from "../env.ts";
import type { Views } from "../kit/view-tabs.tsx";

/** The signed-in user's views of a list. */
export async function viewsOf(c: Context<PanelEnv>, list: ViewedList): Promise<Views> {
  return { list, saved: await readViewsOf(c.var.db, c.var.caller.id, list) };
}
