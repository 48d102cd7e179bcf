import { eq, sql } from "drizzle-orm";
import type { Address } from "../../domain/address.ts";
import { fold } from "../../domain/text.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/time.ts";
import { countryOfVatId } from "../../domain/vat-id.ts";
import type { WriteContext } from "../../platform/auth/caller.ts";
import { type Database, DELETED_AT_ONCE } from "../../platform/db/client.ts";
import { type VatCheck, vatChecks } from "../../platform/db/schema.ts";
import { askVies } from "./vies.ts";

/** Time for which an answer counts, and after which a service that was down is asked again. */
const KNOWN_MS = DAY_MS;
const DOWN_MS = MINUTE_MS;

type Seller = { vatId: string | null; homeCountry: string | null; smallBusiness: boolean };

type Checking = Pick<WriteContext, "db" | "settings"> & { author: { now: number } };

/** Checks the VAT ID of a buyer in another member state. Null if it has no effect on taxes. */
export async function checkVatId(
  { db, settings, author: { now } }: Checking,
  { vatId: requester, homeCountry, smallBusiness }: Seller,
  vatId: string,
): Promise<VatCheck | null> {
  const country = countryOfVatId(vatId);
  if (requester === null || smallBusiness || country === undefined || country === homeCountry) return null;
  const known = await db.select().from(vatChecks).where(eq(vatChecks.vatId, vatId)).get();
  const counts = known?.status === "unavailable" ? DOWN_MS : KNOWN_MS;
  if (known && known.requester === requester && known.checkedAt > now - counts) return checkOf(known);
  const row = { vatId, requester, ...(await askVies(settings, { vatId, requester })), checkedAt: now };
  await db.insert(vatChecks).values(row).onConflictDoUpdate({ target: vatChecks.vatId, set: row });
  return checkOf(row);
}

/** Deletes answers that no longer count, with the names in them. */
export const deleteOldVatChecks = (db: Database, now: number) =>
  db.run(sql`DELETE FROM vat_checks WHERE rowid IN (
    SELECT rowid FROM vat_checks WHERE checked_at < ${now - KNOWN_MS} LIMIT ${DELETED_AT_ONCE})`);

const checkOf = ({ requester: _, ...check }: VatCheck & { requester: string }): VatCheck => check;

/** Words of a name, without forms of companies and other words that unrelated names share. */
const wordsOf = (name: string): string[] =>
  fold(name)
    .replaceAll(".", "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1 && !COMMON.has(word));

const COMMON = new Set(
  `ab ag and aps as asbl bv bvba co company cv da das de del der des di die doo du eood et eu europe gmbh group groupe gruppe
  holding inc inter international kft kg la las le les limited ltd mbh nv og ohg ood oy plc ro sa sarl sas sasu sca sl snc
  societe spa sprl srl sro the ug und van von zoo`.split(/\s+/),
);

/**
 * Judges a check for the address with the VAT ID: a valid ID of somebody else exempts nobody, and neither does one without a
 * company, under which a sole trader gives their own name. Names in another script and those of groups of companies cannot be
 * compared, and some member states tell none.
 */
export function judgedVatCheck(check: VatCheck | null, address: Address | null): VatCheck | null {
  if (check === null || check.vatId !== address?.vat_id) return null;
  if (check.status === "valid" && !address.company) return { ...check, status: "other_name" };
  if (check.status !== "valid" || check.name === null || /^group registration/i.test(check.name)) return check;
  const registered = wordsOf(check.name);
  const own = new Set(wordsOf(address.company ?? ""));
  const isSame = !/[a-z]/.test(fold(check.name)) || registered.length === 0 || registered.some((word) => own.has(word));
  return isSame ? check : { ...check, status: "other_name" };
}
