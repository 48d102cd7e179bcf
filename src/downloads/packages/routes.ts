import { Hono } from "hono";
import { type AppEnv, allowUserOrApp } from "../../platform/auth/gates.ts";
import { list } from "../../platform/http/envelope.ts";
import { PageQuery } from "../../platform/http/pagination.ts";
import { lists } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import { listPackages } from "./packages.ts";
import { Package, toPackage } from "./schemas.ts";

export const packageRoutes = new Hono<AppEnv>().get(
  "/account/packages",
  allowUserOrApp("orders"),
  validate("query", PageQuery),
  lists("listMyDownloadPackages", "List your download packages", Package),
  async (c) => {
    const now = Date.now();
    const page = await listPackages(c.var.db, c.var.caller.id, c.req.valid("query"));
    return list(c, "Packages", page, (row) => toPackage(row, now));
  },
);
