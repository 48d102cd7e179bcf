import * as z from "zod";
import { changesSomething, Id, IdText, isoOrNull, Moment, Timestamp } from "../../domain/fields.ts";
import { type Answered, changeShape, newShape } from "../../platform/administration/fields.ts";
import { pageFields } from "../../platform/http/pagination.ts";
import { packageFields } from "./fields.ts";
import { Package, type PackageRow, packageStatuses, toPackage } from "./schemas.ts";

export const PackagesQuery = z.strictObject({
  ...pageFields,
  user_id: IdText.optional(),
  order_id: IdText.optional(),
  status: z.enum(packageStatuses).optional(),
});
export type PackagesQuery = z.output<typeof PackagesQuery>;

/** A package to grant, with a download limit, an expiry, both or neither. Starts immediately by default. */
export const NewPackage = z
  .strictObject({
    user_id: Id,
    ...newShape(packageFields),
    starts_at: Moment.optional().describe("Start of access. Defaults to now"),
  })
  .refine(({ starts_at = 0, expires_at }) => (expires_at ?? Number.MAX_SAFE_INTEGER) > starts_at, {
    path: ["expires_at"],
    error: "must be after the start",
  })
  .meta({ id: "NewPackage" });
export type NewPackage = z.output<typeof NewPackage>;

export const PackageChange = z
  .strictObject(changeShape(packageFields))
  .partial()
  .refine(...changesSomething)
  .meta({ id: "PackageChange", description: "Fields to change. Fields that are not sent keep their values" });
export type PackageChange = z.output<typeof PackageChange>;

/** A package in the administration API. */
export const AdminPackage = z
  .object({
    ...Package.shape,
    user_id: z.int().nullable(),
    revoked_at: Timestamp.nullable(),
  } satisfies Answered<typeof packageFields, "file_ids">)
  .meta({ id: "AdminPackage" });

export const toAdminPackage = (row: PackageRow, now: number): z.output<typeof AdminPackage> => ({
  ...toPackage(row, now),
  user_id: row.userId,
  revoked_at: isoOrNull(row.revokedAt),
});
