import { Hono } from "hono";
import { IdParam } from "../../domain/fields.ts";
import { accountScopeOf, writeContextOf } from "../../platform/auth/caller.ts";
import { type AppEnv, administer } from "../../platform/auth/gates.ts";
import { list, noContent } from "../../platform/http/envelope.ts";
import { answers, answersNothing, lists } from "../../platform/http/route-description.ts";
import { validate, validateAll } from "../../platform/http/validate.ts";
import { IfMatch, versioned } from "../../platform/http/version.ts";
import { changeLicenseKey, listAllLicenseKeys, requireLicenseKey, resetLicenseKey, revokeLicenseKey } from "./admin.ts";
import { AdminLicenseKey, AllLicenseKeysQuery, LicenseKeyUpdate, toAdminLicenseKey } from "./admin-schemas.ts";

export const licenseKeysAdmin = new Hono<AppEnv>()
  .get(
    "/license-keys",
    administer("packages:read"),
    validate("query", AllLicenseKeysQuery),
    lists("adminListLicenseKeys", "List all license keys", AdminLicenseKey),
    async (c) => {
      const now = Date.now();
      const page = await listAllLicenseKeys(c.var.db, c.req.valid("query"), accountScopeOf(c.var.caller), now);
      return list(c, "License keys", page, (row) => toAdminLicenseKey(row, now));
    },
  )
  .get(
    "/license-keys/:id",
    administer("packages:read"),
    validate("param", IdParam),
    answers("getLicenseKey", "Get a license key", AdminLicenseKey, { headers: ["ETag"] }),
    async (c) => {
      const row = await requireLicenseKey(c.var.db, c.req.valid("param").id, accountScopeOf(c.var.caller));
      return versioned(c, "License key", row, toAdminLicenseKey(row, Date.now()));
    },
  )
  .put(
    "/license-keys/:id",
    administer("packages:write"),
    validateAll({ param: IdParam, header: IfMatch, json: LicenseKeyUpdate }),
    answers("updateLicenseKey", "Update a license key", AdminLicenseKey, {
      refuses: { 409: ["revoked", "spending_limit"] },
      headers: ["ETag"],
    }),
    async (c) => {
      const [{ id }, change, ifMatch] = [c.req.valid("param"), c.req.valid("json"), c.req.valid("header")];
      const row = await changeLicenseKey(writeContextOf(c), { id, change, ifMatch });
      return versioned(c, "License key updated", row, toAdminLicenseKey(row, Date.now()));
    },
  )
  .delete(
    "/license-keys/:id/activations",
    administer("packages:write"),
    validateAll({ param: IdParam, header: IfMatch }),
    answersNothing("clearLicenseActivations", "Deactivate a license key on all devices"),
    async (c) => {
      await resetLicenseKey(writeContextOf(c), { id: c.req.valid("param").id, ifMatch: c.req.valid("header") });
      return noContent(c);
    },
  )
  .delete(
    "/license-keys/:id",
    administer("packages:write"),
    validateAll({ param: IdParam, header: IfMatch }),
    answersNothing("revokeLicenseKey", "Revoke a license key"),
    async (c) => {
      await revokeLicenseKey(writeContextOf(c), { id: c.req.valid("param").id, ifMatch: c.req.valid("header") });
      return noContent(c);
    },
  );
