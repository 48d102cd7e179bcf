import * as z from "zod";
import {
  needsPostalCode,
  ShownAddress,
  sentAddressFields,
  toShownAddress,
  withoutDerived,
  withPostalCode,
} from "../../../domain/address.ts";
import { changesSomething, iso, Timestamp } from "../../../domain/fields.ts";
import type { AddressRow } from "../../../platform/db/schema.ts";

const isDefault = z.boolean().describe("True to make it the default address. The previous default loses this status");

export const NewAddress = z
  .strictObject({ ...sentAddressFields, default: isDefault.default(false) })
  .refine(...needsPostalCode)
  .transform((sent) => withPostalCode(withoutDerived(sent)))
  .meta({ id: "NewAddress" });
export type NewAddress = z.output<typeof NewAddress>;

export const AddressChange = z
  .strictObject({ ...sentAddressFields, default: isDefault })
  .partial()
  .refine(...changesSomething)
  .transform(withoutDerived)
  .meta({ id: "AddressChange", description: "Fields to change. Fields that are not sent keep their values" });
export type AddressChange = z.output<typeof AddressChange>;

/** An entry of an account's address book. */
export const AccountAddress = z
  .object({
    id: z.int(),
    ...ShownAddress.shape,
    default: z.boolean(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "AccountAddress" });

export const toAccountAddress = (row: AddressRow): z.output<typeof AccountAddress> => ({
  id: row.id,
  ...toShownAddress(row),
  default: row.isDefault,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
});
