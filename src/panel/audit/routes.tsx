import { Hono } from "hono";
import { kinds } from "../../back-office/search/schemas.ts";
import { listAuditLog } from "../../platform/audit/audit.ts";
import { AuditQuery } from "../../platform/audit/schemas.ts";
import { administrators } from "../../platform/auth/gates.ts";
import { pageOf } from "../../platform/http/pagination.ts";
import type { PanelEnv } from "../env.ts";
import { readFilters } from "../forms/read-filters.ts";
import { page } from "../page.tsx";
import type { Picker } from "../pickers/picker.ts";
import { resolvingPickers, withPicks } from "../pickers/resolve.ts";
import { readNames } from "../references/names.ts";
import { AuditPage, referencesOf } from "./page.tsx";

const filters: Picker[] = [
  { name: "subject_id", kinds, kindField: "subject" },
  { name: "actor", kinds: ["user", "api_key"], references: true },
];

export const audit = new Hono<PanelEnv>().get("/audit-log", administrators, resolvingPickers(filters), async (c) => {
  const { query, form: typed } = readFilters(c, AuditQuery);
  const { rows, totalItems, totalIsExact } = await listAuditLog(c.var.db, query);
  const place = pageOf(query, totalItems, totalIsExact);
  const [names, form] = await Promise.all([
    readNames(c.var.db, rows.flatMap(referencesOf)),
    withPicks(c, typed, filters),
  ]);
  return page(c, "Audit log", <AuditPage rows={rows} place={place} form={form} url={c.req.url} names={names} />);
});
