import { Hono } from "hono";
import { type AppEnv, administer } from "../../platform/auth/gates.ts";
import { totalsByRoute } from "../../platform/metrics/figures.ts";
import { readBackupStatus } from "../backups/public.ts";
import { readBackground } from "../health/public.ts";
import { metricFamilies } from "./families.ts";
import { OPEN_METRICS, writeOpenMetrics } from "./open-metrics.ts";

/** Metrics for Prometheus and other readers of OpenMetrics. */
export const metricsRoutes = new Hono<AppEnv>().get("/metrics", administer("metrics:read"), async (c) => {
  const { db, settings } = c.var;
  const now = Date.now();
  const [totals, background, backup] = await Promise.all([
    totalsByRoute(db),
    readBackground({ env: c.env, db, settings }, now),
    readBackupStatus(c.env, db, { settings, now }),
  ]);
  const families = metricFamilies({ version: c.env.VERSION.id, totals, background, backup });
  return c.body(writeOpenMetrics(families), 200, { "Content-Type": OPEN_METRICS, "Cache-Control": "no-store" });
});
