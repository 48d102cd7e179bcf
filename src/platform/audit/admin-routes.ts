import { Hono } from "hono";
import type { AppEnv } from "../auth/app-env.ts";
import { administrators } from "../auth/gates.ts";
import { list } from "../http/envelope.ts";
import { pageOf } from "../http/pagination.ts";
import { lists } from "../http/route-description.ts";
import { validate } from "../http/validate.ts";
import { listAuditLog } from "./audit.ts";
import { AuditEntry, AuditQuery, toAuditEntry } from "./schemas.ts";

export const auditAdmin = new Hono<AppEnv>().get(
  "/audit-log",
  administrators,
  validate("query", AuditQuery),
  lists("listAuditLog", "List the audit log", AuditEntry),
  async (c) => {
    const query = c.req.valid("query");
    const { rows, totalItems, totalIsExact } = await listAuditLog(c.var.db, query);
    return list(c, "Audit log", rows.map(toAuditEntry), pageOf(query, totalItems, totalIsExact));
  },
);
