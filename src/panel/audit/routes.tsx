import { Hono } from "hono";
import { listAuditLog } from "../../audit/queries.ts";
import { AuditQuery } from "../../audit/schemas.ts";
import { pageOf } from "../../http/pagination.ts";
import type { PanelEnv } from "../env.ts";
import { readFilters } from "../forms/read-filters.ts";
import { page } from "../page.tsx";
import { AuditPage } from "./page.tsx";

export const audit = new Hono<PanelEnv>().get("/audit-log", async (c) => {
  const { query, form } = readFilters(c, AuditQuery);
  const { rows, totalItems } = await listAuditLog(c.var.db, query);
  const place = pageOf(query, totalItems);
  return page(c, "Audit log", <AuditPage rows={rows} place={place} form={form} url={c.req.url} />);
});
