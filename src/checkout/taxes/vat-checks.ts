import { eq, sql } from "drizzle-orm";
import type { Address } from "../../domain/address.ts";
import { fold } from "../../domain/text.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/time.ts";
import { countryOfVatId } from "../../domain/vat-id.ts";
import type { SettingsContext } from "../../platform/auth/caller.ts";
import { type Database, DELETED_AT_ONCE } from "../../platform/db/client.ts";
import { type VatCheck, vatChecks } from "../../platform/db/schema.ts";
import { takeAttempts } from "../../platform/rate-limit/counting.ts";
import { askVies } from "./vies.ts";

/** Time for which an answer counts, and after which a service that was down is asked again. */
const KNOWN_MS = DAY_MS;
const DOWN_MS = MINUTE_MS;

type Seller = { vatId: string | null; homeCountry: string | null; smallBusiness: boolean };

/** Checks the VAT ID of a buyer in another member state. Null if it has no effect on taxes. */
export async function checkVatId(
  { env, db, settings, author }: SettingsContext,
  { vatId: requester, homeCountry, smallBusiness }: Seller,
  vatId: string,
): Promise<VatCheck | null> {
  const { now } = author;
  const country = countryOfVatId(vatId);
  if (requester === null || smallBusiness || country === undefined || country === homeCountry) return null;
  const known = await db.select().from(vatChecks).where(eq(vatChecks.vatId, vatId)).get();
  const counts = known?.status === "unavailable" ? DOWN_MS : KNOWN_MS;
  if (known && known.requester === requester && known.checkedAt > now - counts) return checkOf(known);
  if (!(await mayAsk(env, author))) {
    return { vatId, status: "unavailable", name: null, consultationNumber: null, checkedAt: now };
  }
  const row = { vatId, requester, ...(await askVies(settings, { vatId, requester })), checkedAt: now };
  await db.insert(vatChecks).values(row).onConflictDoUpdate({ target: vatChecks.vatId, set: row });
  return checkOf(row);
}

/**
 * VIES is asked in the shop's name, so nobody may use that up with invented numbers. Shoppers whose address a key does not
 * send, and those of an agent, are counted together.
 */
async function mayAsk(env: Env, { guestNetwork, actor }: SettingsContext["author"]): Promise<boolean> {
  const isOne = guestNetwork || actor.startsWith("user:");
  const who = guestNetwork ? { address: addressIn(guestNetwork) } : { account: actor };
  const { count } = await takeAttempts(env, isOne ? "vat-ids" : "shared-vat-ids", who, 1);
  return count?.admitted !== false;
}

/** An address of a guest's network. An IPv6 /64 is written as its four groups. */
const addressIn = (network: string): string => (network.includes(".") ? network : `${network}::`);

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
