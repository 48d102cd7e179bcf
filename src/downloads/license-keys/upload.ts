import { eq, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { type ApiError, badRequest, fieldError, notFound } from "../../domain/errors.ts";
import { coded, line } from "../../domain/fields.ts";
import type { WriteContext } from "../../platform/auth/caller.ts";
import { findUploadedKeys, licenseDigits, sealLicenseKeys } from "../../platform/auth/license-keys.ts";
import type { Database } from "../../platform/db/client.ts";
import { products, uploadedLicenseKeys } from "../../platform/db/schema.ts";
import { insertRows } from "../../platform/db/statements.ts";

const FEWEST_DIGITS = 8;

export const UploadedKeys = z
  .array(
    line(100).refine((text) => licenseDigits(text).length >= FEWEST_DIGITS, {
      error: `must have at least ${FEWEST_DIGITS} letters and digits`,
      ...coded("invalid"),
    }),
  )
  .min(1)
  .max(2_000);

type ListedKeys = { productId: number; keys: readonly string[] };

/** A statement that changes a product's list of keys, the change of its stock unless it follows, and the refusals of the database. */
type ListChange = { write: SQL; units: { delta?: number }; refusals: Record<string, () => Promise<ApiError>> };

type ListContext = Pick<WriteContext, "db" | "settings" | "author">;

/** Adds license keys to the end of a product's list. */
export async function addKeys(ctx: ListContext, { productId, keys }: ListedKeys): Promise<ListChange> {
  const { db, settings, author } = ctx;
  await requireList(db, productId, "license_keys");
  const rows = await sealLicenseKeys({ db, settings }, keys);
  const nonces = noncesOf(rows, "license_keys");
  return {
    write: insertRows(
      uploadedLicenseKeys,
      rows.map((row) => ({ productId, ...row, createdAt: author.now })),
    ),
    units: {},
    refusals: {
      "uploaded_license_keys.nonce": async () => {
        const found = await db.all<{ at: number }>(
          sql`SELECT key AS at FROM json_each(${nonces}) JOIN ${uploadedLicenseKeys} ON nonce = value ORDER BY key`,
        );
        return badRequest(found.map(({ at }) => fieldError(`license_keys.${at}`, "repeated", "was uploaded before")));
      },
    },
  };
}

/** Removes unsold keys from a product's list, such as wrong ones. The stock must equal the number of keys afterwards, so none may be sold or held. */
export async function withdrawKeys(ctx: ListContext, { productId, keys }: ListedKeys): Promise<ListChange> {
  const { db } = ctx;
  const field = "withdrawn_license_keys";
  await requireList(db, productId, field);
  const nonces = noncesOf(await findUploadedKeys(ctx, keys), field);
  const unsold = sql`${uploadedLicenseKeys.productId} = ${productId} AND ${uploadedLicenseKeys.orderItemId} IS NULL`;
  return {
    write: sql`DELETE FROM ${uploadedLicenseKeys} WHERE ${unsold} AND nonce IN (SELECT value FROM json_each(${nonces}))`,
    units: { delta: -keys.length },
    refusals: {
      stock_not_managed: async () => {
        const others = await db.all<{ at: number }>(
          sql`SELECT key AS at FROM json_each(${nonces})
            WHERE value NOT IN (SELECT nonce FROM ${uploadedLicenseKeys} WHERE ${unsold}) ORDER BY key`,
        );
        if (others.length === 0)
          return badRequest(fieldError(field, "negative_stock", "unpaid orders hold some of these keys"));
        return badRequest(
          others.map(({ at }) =>
            fieldError(`${field}.${at}`, "unknown_reference", "is not an unsold key of this product"),
          ),
        );
      },
    },
  };
}

async function requireList(db: Database, productId: number, field: string): Promise<void> {
  const product = await db.select({ license: products.license }).from(products).where(eq(products.id, productId)).get();
  if (!product) throw notFound(`Product ${productId}`);
  if (product.license?.source !== "uploaded") {
    throw badRequest(fieldError(field, "not_applicable", "is for products whose license keys are uploaded"));
  }
}

/** Nonces of keys, as JSON. Refuses keys that repeat. */
function noncesOf(rows: readonly { nonce: string }[], field: string): string {
  const places = new Map<string, number>();
  const repeated = rows.flatMap(({ nonce }, at) => {
    const first = places.get(nonce);
    if (first === undefined) places.set(nonce, at);
    return first === undefined ? [] : fieldError(`${field}.${at}`, "repeated", `repeats key ${first + 1} of the list`);
  });
  if (repeated.length > 0) throw badRequest(repeated);
  return JSON.stringify([...places.keys()]);
}
