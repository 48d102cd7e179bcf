import * as z from "zod";
import { Text, Timestamp } from "../../domain/fields.ts";
import { toRecord } from "../../domain/record.ts";
import { licenseKeyText, type StoredLicenseKey } from "../../platform/auth/license-keys.ts";
import type { licenseKeys } from "../../platform/db/schema.ts";

const Instance = z
  .object({
    id: z.string().describe("Id of the device, as sent or as given to it"),
    name: z.string(),
    created_at: Timestamp,
  })
  .meta({ id: "LicenseInstance", description: "A device on which a license key is active" });

type StoredInstance = { id: string; name: string; createdAt: number };

export type LicenseKeyRow = typeof licenseKeys.$inferSelect & {
  /** Null for a generated key. */
  uploaded: StoredLicenseKey["uploaded"];
  instances: StoredInstance[];
};

export const licenseKeyStatuses = ["active", "expired", "revoked"] as const;

const state = {
  product_id: z.int(),
  status: z.enum(licenseKeyStatuses),
  activation_limit: z.int().describe("Number of devices on which the key can be active at once"),
  activations: z.int().describe("Number of devices on which the key is active"),
  expires_at: Timestamp.nullable().describe("Null if the key never expires"),
  updates_until: Timestamp.nullable().describe("End of included updates. Null if all are included"),
  test: z.boolean().describe("True for the key of a test order"),
};

/** A sold license without its key. */
export const SoldLicense = z
  .object({
    id: z.int(),
    name: z.string().describe("Name of the product"),
    order_id: z.int(),
    ...state,
    instances: z.array(Instance),
    created_at: Timestamp,
  })
  .meta({ id: "SoldLicense" });

export const LicenseKey = SoldLicense.extend({
  key: z.string().describe("Anyone with the key can activate a device"),
}).meta({ id: "LicenseKey" });

export function licenseKeyStatus(
  { revokedAt, expiresAt }: Pick<LicenseKeyRow, "revokedAt" | "expiresAt">,
  now: number,
): (typeof licenseKeyStatuses)[number] {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt <= now ? "expired" : "active";
}

const toInstance = (instance: StoredInstance) => toRecord(Instance, instance, {});

export const toSoldLicense = (row: LicenseKeyRow, now: number): z.output<typeof SoldLicense> =>
  toRecord(SoldLicense, row, { status: licenseKeyStatus(row, now), instances: row.instances.map(toInstance) });

export const toLicenseKey = (secret: string, row: LicenseKeyRow, now: number): z.output<typeof LicenseKey> => ({
  ...toSoldLicense(row, now),
  key: licenseKeyText(secret, row),
});

// What software sends about its key.

const Key = Text.min(1).max(100).describe("The key as the customer typed it: case, spaces and hyphens do not matter");
const InstanceId = Text.min(1).max(100);
const AcceptsTest = z
  .boolean()
  .default(false)
  .describe("True to accept keys of test orders, which are `unknown` otherwise");

export const LicenseActivation = z
  .strictObject({
    license_key: Key,
    instance_name: Text.min(1).max(100).describe("Name of the device for its owner, such as Ada's laptop"),
    instance_id: InstanceId.optional().describe(
      "Id of the device, by which activating it again does not count. By default a random one",
    ),
    test: AcceptsTest,
  })
  .meta({ id: "LicenseActivation" });

export const LicenseValidation = z
  .strictObject({
    license_key: Key,
    instance_id: InstanceId.optional().describe("The device that must be active. By default only the key is checked"),
    test: AcceptsTest,
  })
  .meta({ id: "LicenseValidation" });

export const LicenseDeactivation = z
  .strictObject({ license_key: Key, instance_id: InstanceId, test: AcceptsTest })
  .meta({ id: "LicenseDeactivation" });

const codes = ["valid", "unknown", "revoked", "expired", "activation_limit_reached", "not_activated"] as const;

export const LicenseValidationResult = z
  .object({
    valid: z.boolean().describe("True if the key can be used, on the device if one was sent"),
    code: z
      .enum(codes)
      .describe(
        "`valid`, or why not. `unknown`: the shop did not issue the key. `not_activated`: the key is not active on the device",
      ),
    license_key: z
      .object(state)
      .nullable()
      .describe("Null if the key is unknown. Compare `product_id`, because a key of another product is valid too"),
    instance: Instance.nullable().describe("The device. Null if none was sent or it is not active"),
  })
  .meta({ id: "LicenseValidationResult" });
export type LicenseValidationResult = z.output<typeof LicenseValidationResult>;

export const unknownLicense: LicenseValidationResult = {
  valid: false,
  code: "unknown",
  license_key: null,
  instance: null,
};

/** Answers for a key and, if `onDevice` is true, for the device that was read with it. Keys of test orders cost nothing, so live software must not accept them. */
export function toLicenseValidationResult(
  row: LicenseKeyRow | undefined,
  { onDevice, test }: { onDevice: boolean; test: boolean },
): LicenseValidationResult {
  if (!row || (row.test && !test)) return unknownLicense;
  const status = licenseKeyStatus(row, Date.now());
  const [instance] = row.instances;
  const code = status !== "active" ? status : onDevice && !instance ? "not_activated" : "valid";
  return {
    valid: code === "valid",
    code,
    license_key: toRecord(z.object(state), row, { status }),
    instance: instance ? toInstance(instance) : null,
  };
}
