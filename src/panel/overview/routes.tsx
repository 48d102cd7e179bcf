import { Hono } from "hono";
import type { PanelEnv } from "../env.ts";
import { page } from "../page.tsx";
import { OverviewPage } from "./page.tsx";
import { readOverview } from "./queries.ts";

export const overview = new Hono<PanelEnv>().get("/", async (c) => {
  const figures = await readOverview(c.var.db, Date.now());
  return page(c, "Overview", <OverviewPage {...figures} currency={c.var.settings.currency} />);
});
