import { and, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import {
  missingPostalCode,
  needsPostalCode,
  ShownAddress,
  sentAddressFields,
  toShownAddress,
  withoutDerived,
  withPostalCode,
} from "../../domain/address.ts";
import { badRequest, conflict, fieldError, requireFound } from "../../domain/errors.ts";
import { changesSomething, iso, Timestamp } from "../../domain/fields.ts";
import { limits } from "../../domain/limits.ts";
import type { UserContext } from "../../platform/auth/caller.ts";
import { type Database, requireRow } from "../../platform/db/client.ts";
import { jsonRow } from "../../platform/db/json.ts";
import { type PageOf, readPage } from "../../platform/db/page.ts";
import { type AddressRow, addresses } from "../../platform/db/schema.ts";
import { isSame, merge, nextVersion, translateViolations, unchanged } from "../../platform/db/statements.ts";
import type { PageQuery } from "../../platform/http/pagination.ts";
import { editedMeanwhile } from "../../platform/http/version.ts";
import { writeOnce } from "../../platform/idempotency/claims.ts";

export const requireAddress = (db: Database, userId: number, id: number): Promise<AddressRow> =>
  requireFound(findAddress(db, userId, id), `Address ${id}`);

/** Changes only the fields that were sent. The postal code is validated for the resulting country. */
export async function changeAddress(
  ctx: UserContext,
  { id, change: { default: isDefault, ...sent } }: { id: number; change: AddressUpdate },
): Promise<AddressRow> {
  const before = await requireAddress(ctx.db, ctx.caller.id, id);
  const after = merge(before, sent);
  const missing = missingPostalCode(after);
  if (missing) throw badRequest(fieldError("zip", "required", missing));
  const change = { ...sent, zip: withPostalCode(after).zip, ...(isDefault !== undefined && { isDefault }) };
  if (isSame(before, merge(before, change))) return before;
  return updateAddress(ctx, { before, change });
}

const columns = getTableColumns(addresses);

const theirs = (userId: number, id: number) => and(eq(addresses.id, id), eq(addresses.userId, userId));

/** Returns a page of an account's address book: the default address first, then the newest. */
export function listAddresses(db: Database, userId: number, query: PageQuery): Promise<PageOf<AddressRow>> {
  const where = eq(addresses.userId, userId);
  const rows = db.select().from(addresses).where(where).orderBy(desc(addresses.isDefault), desc(addresses.id));
  return readPage(db, query, rows, addresses, where);
}

const findAddress = (db: Database, userId: number, id: number): Promise<AddressRow | undefined> =>
  db.select().from(addresses).where(theirs(userId, id)).get();

const row = jsonRow<AddressRow>(columns);

const refusals = {
  too_many_addresses: () =>
    conflict(
      "too_many_addresses",
      `The address book is full (${limits.ADDRESSES_PER_ACCOUNT} addresses): delete one first`,
    ),
};

export async function insertAddress(
  ctx: UserContext,
  { default: isDefault, ...address }: AddressCreate,
): Promise<AddressRow> {
  const { db, caller, author } = ctx;
  const [userId, now] = [caller.id, author.now];
  const insert = db
    .insert(addresses)
    .values({ ...address, userId, isDefault, createdAt: now, updatedAt: now })
    .getSQL();
  const answer = sql`(SELECT ${row} FROM ${addresses} WHERE ${addresses.userId} = ${userId}
    ORDER BY ${addresses.id} DESC LIMIT 1)`;
  return requireRow(await translateViolations(writeOnce<AddressRow>(ctx, { writes: [insert], answer }), refusals));
}

/** Updates an address unless it was edited since it was read. */
async function updateAddress(
  ctx: UserContext,
  { before, change }: { before: AddressRow; change: { [Name in keyof AddressRow]?: AddressRow[Name] | undefined } },
): Promise<AddressRow> {
  const { db, author } = ctx;
  const update: SQL = db
    .update(addresses)
    .set({ ...change, updatedAt: nextVersion(before, author.now) })
    .where(eq(addresses.id, before.id))
    .getSQL();
  const answer = sql`(SELECT ${row} FROM ${addresses} WHERE ${addresses.id} = ${before.id})`;
  const writes = [unchanged("addresses", before), update];
  const written = writeOnce<AddressRow>(ctx, { writes, answer });
  return requireRow(await translateViolations(written, editedMeanwhile));
}

/** Deletes an address. Returns false if it does not exist. Orders keep their copies. */
export async function deleteAddress({ db, caller }: Pick<UserContext, "db" | "caller">, id: number): Promise<boolean> {
  const { meta } = await db.delete(addresses).where(theirs(caller.id, id));
  return meta.changes > 0;
}

const isDefault = z.boolean().describe("True to make it the default address. The previous default loses this status");

export const AddressCreate = z
  .strictObject({ ...sentAddressFields, default: isDefault.default(false) })
  .refine(...needsPostalCode)
  .transform((sent) => withPostalCode(withoutDerived(sent)))
  .meta({ id: "AddressCreate" });
export type AddressCreate = z.output<typeof AddressCreate>;

export const AddressUpdate = z
  .strictObject({ ...sentAddressFields, default: isDefault })
  .partial()
  .refine(...changesSomething)
  .transform(withoutDerived)
  .meta({ id: "AddressUpdate", description: "Fields that are not sent keep their values" });
export type AddressUpdate = z.output<typeof AddressUpdate>;

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
