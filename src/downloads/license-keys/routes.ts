import { Hono } from "hono";
import * as z from "zod";
import { IdText } from "../../domain/fields.ts";
import { type AppEnv, allow, allowAnyone } from "../../platform/auth/gates.ts";
import { readLicenseSecret } from "../../platform/auth/license-keys.ts";
import { list, ok } from "../../platform/http/envelope.ts";
import { PageQuery } from "../../platform/http/pagination.ts";
import { answers, lists } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import { activateLicense, deactivateLicense, validateLicense } from "./activations.ts";
import { listLicenseKeys } from "./license-keys.ts";
import {
  LicenseActivation,
  LicenseDeactivation,
  LicenseKey,
  LicenseValidation,
  LicenseValidationResult,
  toLicenseKey,
} from "./schemas.ts";

const LicenseKeysQuery = z.strictObject({ ...PageQuery.shape, order_id: IdText.optional() });

/** Answers with 200 whatever the key, so that software cannot take an error for an invalid license. */
const always = {
  description:
    "Needs no credential. Responds with 200 and a `code` even if the key is unknown. Software should treat every other status as " +
    "no answer, and keep its last one",
};

export const licenseKeyRoutes = new Hono<AppEnv>()
  .get(
    "/account/license-keys",
    allow("checkout:read"),
    validate("query", LicenseKeysQuery),
    lists("listMyLicenseKeys", "List your license keys", LicenseKey),
    async (c) => {
      const now = Date.now();
      const page = await listLicenseKeys(c.var.db, c.var.caller, c.req.valid("query"));
      const secret = await readLicenseSecret(c.var);
      return list(c, "License keys", page, (row) => toLicenseKey(secret, row, now));
    },
  )
  .post(
    "/licenses/activate",
    allowAnyone("checkout:read", "license-keys"),
    validate("json", LicenseActivation),
    answers("activateLicense", "Activate a license key on a device", LicenseValidationResult, always),
    async (c) => ok(c, "License", await activateLicense({ env: c.env, ...c.var }, c.req.valid("json"))),
  )
  .post(
    "/licenses/validate",
    allowAnyone("checkout:read", "license-keys"),
    validate("json", LicenseValidation),
    answers("validateLicense", "Validate a license key", LicenseValidationResult, always),
    async (c) => ok(c, "License", await validateLicense({ env: c.env, ...c.var }, c.req.valid("json"))),
  )
  .post(
    "/licenses/deactivate",
    allowAnyone("checkout:read", "license-keys"),
    validate("json", LicenseDeactivation),
    answers("deactivateLicense", "Deactivate a license key on a device", LicenseValidationResult, always),
    async (c) => ok(c, "License", await deactivateLicense({ env: c.env, ...c.var }, c.req.valid("json"))),
  );
