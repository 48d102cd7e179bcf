import { Hono } from "hono";
import { IdParam } from "../../domain/fields.ts";
import { accountScopeOf, writeContextOf } from "../../platform/auth/caller.ts";
import { type AppEnv, administer } from "../../platform/auth/gates.ts";
import { created, list, noContent } from "../../platform/http/envelope.ts";
import { answers, answersNothing, creates, lists } from "../../platform/http/route-description.ts";
import { validate, validateAll } from "../../platform/http/validate.ts";
import { IfMatch, versioned } from "../../platform/http/version.ts";
import { idempotent, once } from "../../platform/idempotency/once.ts";
import { AdminPackage, PackageCreate, PackagesQuery, PackageUpdate, toAdminPackage } from "./admin-schemas.ts";
import { changePackage, grantPackage, listAllPackages, requirePackage, revokePackage } from "./packages.ts";

export const packagesAdmin = new Hono<AppEnv>()
  .get(
    "/packages",
    administer("packages:read"),
    validate("query", PackagesQuery),
    lists("adminListDownloadPackages", "List all download packages", AdminPackage),
    async (c) => {
      const now = Date.now();
      const page = await listAllPackages(c.var.db, c.req.valid("query"), accountScopeOf(c.var.caller), now);
      return list(c, "Packages", page, (row) => toAdminPackage(row, now));
    },
  )
  .post(
    "/packages",
    administer("packages:write"),
    idempotent,
    validate("json", PackageCreate),
    creates("createDownloadPackage", "Grant a download package", AdminPackage, {
      refuses: { 409: ["spending_limit"] },
    }),
    async (c) => {
      const sent = c.req.valid("json");
      const row = await once(c, sent, (ctx) => grantPackage(ctx, sent));
      return created(c, `/api/v1/admin/packages/${row.id}`, "Package granted", toAdminPackage(row, row.updatedAt));
    },
  )
  .get(
    "/packages/:id",
    administer("packages:read"),
    validate("param", IdParam),
    answers("getDownloadPackage", "Get a download package", AdminPackage, { headers: ["ETag"] }),
    async (c) => {
      const row = await requirePackage(c.var.db, c.req.valid("param").id, accountScopeOf(c.var.caller));
      return versioned(c, "Package", row, toAdminPackage(row, Date.now()));
    },
  )
  .put(
    "/packages/:id",
    administer("packages:write"),
    validateAll({ param: IdParam, header: IfMatch, json: PackageUpdate }),
    answers("updateDownloadPackage", "Update a download package", AdminPackage, {
      refuses: { 409: ["revoked", "spending_limit"] },
      headers: ["ETag"],
    }),
    async (c) => {
      const [{ id }, change, ifMatch] = [c.req.valid("param"), c.req.valid("json"), c.req.valid("header")];
      const row = await changePackage(writeContextOf(c), { id, change, ifMatch });
      return versioned(c, "Package updated", row, toAdminPackage(row, Date.now()));
    },
  )
  .delete(
    "/packages/:id",
    administer("packages:write"),
    validateAll({ param: IdParam, header: IfMatch }),
    answersNothing("revokeDownloadPackage", "Revoke a download package"),
    async (c) => {
      await revokePackage(writeContextOf(c), { id: c.req.valid("param").id, ifMatch: c.req.valid("header") });
      return noContent(c);
    },
  );
