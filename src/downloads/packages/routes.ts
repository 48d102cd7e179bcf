import { Hono } from "hono";
import type { AppEnv } from "../../platform/auth/app-env.ts";
import { allowUser } from "../../platform/auth/gates.ts";
import { list } from "../../platform/http/envelope.ts";
import { PageQuery, pageOf } from "../../platform/http/pagination.ts";
import { lists } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import { listPackages } from "./packages.ts";
import { Package, toPackage } from "./schemas.ts";

export const packageRoutes = new Hono<AppEnv>().get(
  "/account/packages",
  allowUser,
  validate("query", PageQuery),
  lists("listYourDownloadPackages", "List your download packages", Package),
  async (c) => {
    const query = c.req.valid("query");
    const { rows, totalItems, totalIsExact } = await listPackages(c.var.db, c.var.caller.id, query);
    const now = Date.now();
    const data = rows.map((row) => toPackage(row, now));
    return list(c, "Packages", data, pageOf(query, totalItems, totalIsExact));
  },
);
