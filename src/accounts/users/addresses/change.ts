import { missingPostalCode, withPostalCode } from "../../../domain/address.ts";
import { badRequest, fieldError, notFound } from "../../../domain/errors.ts";
import type { Author } from "../../../platform/auth/author.ts";
import type { Database } from "../../../platform/db/client.ts";
import { isSame, merge } from "../../../platform/db/merge.ts";
import type { AddressRow } from "../../../platform/db/schema.ts";
import { findAddress, updateAddress } from "./queries.ts";
import type { AddressChange } from "./schemas.ts";

export async function requireAddress(db: Database, userId: number, id: number): Promise<AddressRow> {
  const address = await findAddress(db, userId, id);
  if (!address) throw notFound(`Address ${id}`);
  return address;
}

/** Changes the fields that were sent. The postal code follows the form of the resulting country. */
export async function changeAddress(
  db: Database,
  userId: number,
  id: number,
  { default: isDefault, ...sent }: AddressChange,
  author: Author,
): Promise<AddressRow> {
  const before = await requireAddress(db, userId, id);
  const after = merge(before, sent);
  const missing = missingPostalCode(after);
  if (missing) throw badRequest(fieldError("zip", "required", missing));
  const change = { ...sent, zip: withPostalCode(after).zip, ...(isDefault !== undefined && { isDefault }) };
  if (isSame(before, merge(before, change))) return before;
  return updateAddress(db, before, change, author);
}
