import { Hono } from "hono";
import { type AppEnv, administrators } from "../auth/gates.ts";
import { list } from "../http/envelope.ts";
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
    const page = await listAuditLog(c.var.db, c.req.valid("query"));
    return list(c, "Audit log", page, toAuditEntry);
  },
);
