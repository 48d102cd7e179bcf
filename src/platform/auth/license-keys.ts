import { createHmac } from "node:crypto";
import { eq } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../db/client.ts";
import { licenseSecrets } from "../db/schema.ts";
import type { Settings } from "../settings/settings.ts";
import { newestSecret, sealedColumns, unseal } from "./seal.ts";
import { randomToken, sameSecret } from "./secrets.ts";

// A license key is a prefix and six groups of four characters: 12 hex digits of the row's nonce and a tag of 60 bits, an HMAC of the
// nonce. So the database holds no key, and a mistyped or guessed key is refused without reading it. The digits are those of
// Crockford's base 32 (crockford.com/base32.html), which reads O as 0, and I and L as 1.

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const NONCE_LENGTH = 12;
const TAG_LENGTH = 12;
const BODY_LENGTH = NONCE_LENGTH + TAG_LENGTH;

/** The columns from which a key's text follows. */
export type StoredLicenseKey = { prefix: string | null; nonce: string };

function tagOf(secret: string, nonce: string): string {
  const mac = createHmac("sha256", secret).update(nonce).digest();
  return Array.from(mac.subarray(0, TAG_LENGTH), (byte) => DIGITS.charAt(byte % DIGITS.length)).join("");
}

const inGroups = (prefix: string | null, body: string): string =>
  [...(prefix === null ? [] : [prefix]), ...(body.match(/.{1,4}/g) ?? [])].join("-");

export const licenseKeyText = (secret: string, { prefix, nonce }: StoredLicenseKey): string =>
  inGroups(prefix, nonce + tagOf(secret, nonce));

/** The beginning of a key, by which staff find it. It does not reveal the rest. */
export const licenseKeyStart = ({ prefix, nonce }: StoredLicenseKey): string => inGroups(prefix, nonce);

/** Digits of a typed key or its beginning, without its prefix, hyphens and spaces. */
const digitsOf = (text: string): string =>
  text
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1");

/** Nonce in a typed key or its beginning, whether the shop issued it or not. */
export function nonceIn(text: string): string {
  const digits = digitsOf(text);
  return digits.slice(digits.length < BODY_LENGTH ? -NONCE_LENGTH : -BODY_LENGTH).slice(0, NONCE_LENGTH);
}

/** Nonce of a typed key. Null if the shop did not issue it. */
export function readLicenseKey(secret: string, text: string): string | null {
  const body = digitsOf(text).slice(-BODY_LENGTH).padStart(BODY_LENGTH, "0");
  const nonce = body.slice(0, NONCE_LENGTH);
  return sameSecret(body.slice(NONCE_LENGTH), tagOf(secret, nonce)) ? nonce : null;
}

/** Milliseconds for which an isolate keeps the secret, so that a database that is restored from a backup gets its own back. */
const MAX_AGE_MS = 60_000;

let known: { secret: string; readAt: number } | undefined;

type SecretContext = { db: Database; settings: Pick<Settings, "linkSecrets"> };

const PURPOSE = ["license keys"] as const;

/** Reads the secret of all license keys, and creates it when it is needed first. */
export async function readLicenseSecret({ db, settings: { linkSecrets } }: SecretContext): Promise<string> {
  const find = () => db.select({ sealed: licenseSecrets.sealed }).from(licenseSecrets).get();
  let found = await find();
  if (!found) {
    const row = { id: 1, ...sealedColumns(linkSecrets, PURPOSE, randomToken("")) };
    await db.insert(licenseSecrets).values(row).onConflictDoNothing();
    found = await find();
  }
  const secret = String(unseal(linkSecrets, PURPOSE, found?.sealed ?? ""));
  known = { secret, readAt: Date.now() };
  return secret;
}

/** The secret as this isolate read it in the last minute. */
export const rememberedLicenseSecret = (ctx: SecretContext): Promise<string> | string =>
  known && Date.now() - known.readAt < MAX_AGE_MS ? known.secret : readLicenseSecret(ctx);

/** Encrypts the secret under the deployment's newest secret, so that an older one can be dropped. */
export async function resealLicenseSecret({ db, settings: { linkSecrets } }: SecretContext): Promise<void> {
  const stored = await db.select().from(licenseSecrets).get();
  if (!stored || stored.sealedUnder === newestSecret(linkSecrets)) return;
  await db
    .update(licenseSecrets)
    .set(sealedColumns(linkSecrets, PURPOSE, unseal(linkSecrets, PURPOSE, stored.sealed)))
    .where(eq(licenseSecrets.sealed, stored.sealed));
}

const Licensed = z.looseObject({
  order: z.looseObject({
    licenseKeys: z.array(z.looseObject({ prefix: z.string().nullable(), nonce: z.string() })).min(1),
  }),
});

/** Adds the texts of the license keys to the parameters of an e-mail about an order, which the outbox does not store. */
export async function withLicenseKeys(
  ctx: SecretContext,
  params: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { data } = Licensed.safeParse(params);
  if (!data) return params;
  const secret = await readLicenseSecret(ctx);
  const licenseKeys = data.order.licenseKeys.map((each) => ({ ...each, key: licenseKeyText(secret, each) }));
  return { ...data, order: { ...data.order, licenseKeys } };
}
