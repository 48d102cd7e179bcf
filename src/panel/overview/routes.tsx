import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { administer } from "../../platform/auth/gates.ts";
import type { PanelEnv } from "../env.ts";
import { page } from "../page.tsx";
import { firstSectionOf } from "../sections.ts";
import { readOverview } from "./figures.ts";
import { OverviewPage } from "./page.tsx";

/** Who may not see the overview begins in a section of theirs. */
const toFirstSection = createMiddleware<PanelEnv>(async (c, next) => {
  const first = firstSectionOf(c.var.caller);
  return first === "/admin" ? next() : c.redirect(first, 303);
});

export const overview = new Hono<PanelEnv>().get("/", toFirstSection, administer("orders:read"), async (c) => {
  const now = Date.now();
  const figures = await readOverview(c.var.db, now);
  return page(c, "Overview", <OverviewPage {...figures} currency={c.var.settings.currency} now={now} />);
});
