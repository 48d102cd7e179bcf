import { changeLicenseKey, resetLicenseKey, revokeLicenseKey } from "../../downloads/license-keys/admin.ts";
import { LicenseKeyUpdate } from "../../downloads/license-keys/admin-schemas.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import { kindsOf } from "../forms/conversion.ts";
import { recordPages } from "../record-pages.ts";
import { licenseKeyFilters, licenseKeyInputs, licenseKeyPage, licenseKeysPage } from "./pages.tsx";

export const licenseKeyPages = recordPages("/license-keys", {
  reads: administer("packages:read"),
  writes: administer("packages:write"),
  listPage: licenseKeysPage,
  filters: licenseKeyFilters,
  rowPage: licenseKeyPage,
  forms: {
    "": async (c, id, sent) => {
      const change = sent.readChange(LicenseKeyUpdate, kindsOf(licenseKeyInputs));
      await changeLicenseKey(writeContextOf(c), { id, change, ifMatch: sent.ifMatch });
      return "The license key was saved.";
    },
    "/reset": async (c, id, { ifMatch }) => {
      await resetLicenseKey(writeContextOf(c), { id, ifMatch });
      return "The license key was deactivated on all devices.";
    },
    "/revoke": async (c, id, { ifMatch }) => {
      await revokeLicenseKey(writeContextOf(c), { id, ifMatch });
      return "The license key was revoked. It stops working within a minute.";
    },
  },
});
