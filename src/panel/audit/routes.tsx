import { Hono } from "hono";
import { listAuditLog } from "../../audit/queries.ts";
import { AuditQuery } from "../../audit/schemas.ts";
import { administrators } from "../../auth/gates.ts";
import { pageOf } from "../../http/pagination.ts";
import type { PanelEnv } from "../env.ts";
import { readFilters } from "../forms/read-filters.ts";
import { page } from "../page.tsx";
import { readNames } from "../references/queries.ts";
import { AuditPage } from "./page.tsx";
import { referencesOf } from "./references.ts";

export const audit = new Hono<PanelEnv>().get("/audit-log", administrators, async (c) => {
  const { query, form } = readFilters(c, AuditQuery);
  const { rows, totalItems } = await listAuditLog(c.var.db, query);
  const place = pageOf(query, totalItems);
  const names = await readNames(c.var.db, rows.flatMap(referencesOf));
  return page(c, "Audit log", <AuditPage rows={rows} place={place} form={form} url={c.req.url} names={names} />);
});
