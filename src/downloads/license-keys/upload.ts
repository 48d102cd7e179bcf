import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import { type ApiError, badRequest, fieldError, notFound } from "../../domain/errors.ts";
import { coded, line } from "../../domain/fields.ts";
import type { WriteContext } from "../../platform/auth/caller.ts";
import { licenseDigits, sealLicenseKeys } from "../../platform/auth/license-keys.ts";
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
  .max(1_000);

type Upload = { productId: number; keys: readonly string[] };

/** A statement that adds license keys to a product's list, and the error for keys that are in a list already. */
export async function uploadOf(
  { db, settings, author }: Pick<WriteContext, "db" | "settings" | "author">,
  upload: Upload,
) {
  const { productId, keys } = upload;
  const product = await db.select({ license: products.license }).from(products).where(eq(products.id, productId)).get();
  if (!product) throw notFound(`Product ${productId}`);
  if (product.license?.source !== "uploaded") {
    throw badRequest(fieldError("license_keys", "not_applicable", "is for products whose license keys are uploaded"));
  }
  const rows = await sealLicenseKeys({ db, settings }, keys);
  const lines = new Map<string, number>();
  const repeated = rows.flatMap(({ nonce }, at) => {
    const first = lines.get(nonce);
    if (first === undefined) lines.set(nonce, at);
    return first === undefined ? [] : refusedKey(at, `repeats key ${first + 1} of the list`);
  });
  if (repeated.length > 0) throw badRequest(repeated);
  const nonces = JSON.stringify(rows.map(({ nonce }) => nonce));
  return {
    insert: insertRows(
      uploadedLicenseKeys,
      rows.map((row) => ({ productId, ...row, createdAt: author.now })),
    ),
    uploadedBefore: async (): Promise<ApiError> => {
      const found = await db.all<{ at: number }>(
        sql`SELECT key AS at FROM json_each(${nonces}) JOIN ${uploadedLicenseKeys} ON nonce = value ORDER BY key`,
      );
      return badRequest(found.map(({ at }) => refusedKey(at, "was uploaded before")));
    },
  };
}

const refusedKey = (at: number, words: string) => fieldError(`license_keys.${at}`, "repeated", words);
