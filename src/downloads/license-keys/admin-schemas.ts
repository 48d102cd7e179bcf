import * as z from "zod";
import { EndMoment, IdText, isoOrNull, partialUpdate, Text, Timestamp } from "../../domain/fields.ts";
import { auditedState, changeShape, declareFields } from "../../platform/administration/fields.ts";
import { licenseKeyStart } from "../../platform/auth/license-keys.ts";
import { pageFields } from "../../platform/http/pagination.ts";
import { LISTED_INSTANCES } from "./license-keys.ts";
import { type LicenseKeyRow, licenseKeyStatuses, SoldLicense, toSoldLicense } from "./schemas.ts";

type EditableLicense = Pick<LicenseKeyRow, "activationLimit" | "expiresAt" | "updatesUntil">;

/** The fields of a license key that administrators edit. */
export const licenseKeyFields = declareFields<EditableLicense>()({
  activation_limit: {
    schema: z.int().min(1).max(1_000).describe("Number of devices on which the key can be active at once"),
    input: { label: "Devices" },
  },
  expires_at: {
    schema: EndMoment.nullable().describe("Null if it never expires. A day counts until its end (UTC)"),
    audited: isoOrNull,
    input: { as: "moment", hint: "Leave empty for a key that never expires." },
  },
  updates_until: {
    schema: EndMoment.nullable().describe("End of included updates. Null if all are included"),
    audited: isoOrNull,
    input: { as: "moment", hint: "Leave empty for all updates." },
  },
});

export const LicenseKeyUpdate = partialUpdate("LicenseKeyUpdate", changeShape(licenseKeyFields));
export type LicenseKeyUpdate = z.output<typeof LicenseKeyUpdate>;

export type AuditedLicense = EditableLicense & Pick<LicenseKeyRow, "activations" | "revokedAt">;

/** A license key as the audit log records it. */
export const licenseKeyState = ({ activations, revokedAt, ...row }: AuditedLicense) => ({
  ...auditedState(licenseKeyFields, row),
  activations,
  revoked_at: isoOrNull(revokedAt),
});

export const AllLicenseKeysQuery = z.strictObject({
  ...pageFields,
  key_start: Text.max(100)
    .optional()
    .describe(
      "Beginning of a key: its prefix and three groups, or up to half of an uploaded key. Do not send the rest, because addresses are logged",
    ),
  user_id: IdText.optional(),
  order_id: IdText.optional(),
  product_id: IdText.optional(),
  status: z.enum(licenseKeyStatuses).optional(),
});
export type AllLicenseKeysQuery = z.output<typeof AllLicenseKeysQuery>;

/** A license key in the administration API, which never shows it whole. */
export const AdminLicenseKey = SoldLicense.extend({
  key_start: z.string().describe("Beginning of the key, by which it is found"),
  instances: SoldLicense.shape.instances.describe(
    `Devices on which the key is active. Lists show up to ${LISTED_INSTANCES} of a key, and \`activations\` counts all`,
  ),
  user_id: z.int().nullable().describe("Null for the key of a guest"),
  revoked_at: Timestamp.nullable(),
}).meta({ id: "AdminLicenseKey" });

export const toAdminLicenseKey = (row: LicenseKeyRow, now: number): z.output<typeof AdminLicenseKey> => ({
  ...toSoldLicense(row, now),
  key_start: licenseKeyStart(row),
  user_id: row.userId,
  revoked_at: isoOrNull(row.revokedAt),
});
