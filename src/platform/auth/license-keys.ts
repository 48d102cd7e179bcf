import { createHmac } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../db/client.ts";
import { licenseSecrets, uploadedLicenseKeys } from "../db/schema.ts";
import type { Settings } from "../settings/settings.ts";
import { newestSecret, type Purpose, seal, sealedColumns, unseal } from "./seal.ts";
import { randomToken, sameSecret } from "./secrets.ts";

// A generated license key is a prefix and six groups of four characters: 12 hex digits of the row's nonce and a tag of 60 bits, an HMAC of the
// nonce. So the database holds no key, and a mistyped or guessed key is refused without reading it. The digits are those of
// Crockford's base 32 (crockford.com/base32.html), which reads O as 0, and I and L as 1.
// Uploaded keys have the form that their publisher chose, and are compared without regard to these differences.

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const NONCE_LENGTH = 12;
const TAG_LENGTH = 12;
const BODY_LENGTH = NONCE_LENGTH + TAG_LENGTH;

const StoredLicense = z.looseObject({
  prefix: z.string().nullable(),
  nonce: z.string(),
  uploaded: z.object({ start: z.string(), sealed: z.string() }).nullable(),
});

/** The columns from which a key's text follows. */
export type StoredLicenseKey = z.output<typeof StoredLicense>;

function tagOf(secret: string, nonce: string): string {
  const mac = createHmac("sha256", secret).update(nonce).digest();
  return Array.from(mac.subarray(0, TAG_LENGTH), (byte) => DIGITS.charAt(byte % DIGITS.length)).join("");
}

const inGroups = (prefix: string | null, body: string): string =>
  [...(prefix === null ? [] : [prefix]), ...(body.match(/.{1,4}/g) ?? [])].join("-");

export const licenseKeyText = (secret: string, { prefix, nonce, uploaded }: StoredLicenseKey): string =>
  uploaded ? unseal([secret], purposeOf(nonce), uploaded.sealed) : inGroups(prefix, nonce + tagOf(secret, nonce));

/** The beginning of a key, by which staff find it. It does not reveal the rest. */
export const licenseKeyStart = ({ prefix, nonce, uploaded }: StoredLicenseKey): string =>
  uploaded?.start ?? inGroups(prefix, nonce);

const purposeOf = (nonce: string): Purpose => ["license key", nonce];

const uploadedNonce = (secret: string, text: string): string =>
  createHmac("sha256", secret)
    .update(`uploaded ${licenseDigits(text)}`)
    .digest("hex");

/** Digits of a typed key or its beginning, without its prefix, hyphens and spaces. */
export const licenseDigits = (text: string): string =>
  text
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1");

/** Nonce in a typed key or its beginning, whether the shop issued it or not. */
export function nonceIn(text: string): string {
  const digits = licenseDigits(text);
  return digits.slice(digits.length < BODY_LENGTH ? -NONCE_LENGTH : -BODY_LENGTH).slice(0, NONCE_LENGTH);
}

/** Nonce of a typed key. Null if the shop did not issue it. */
export function readLicenseKey({ secret, hasUploaded }: LicenseSecret, text: string): string | null {
  const body = licenseDigits(text).slice(-BODY_LENGTH).padStart(BODY_LENGTH, "0");
  const nonce = body.slice(0, NONCE_LENGTH);
  if (sameSecret(body.slice(NONCE_LENGTH), tagOf(secret, nonce))) return nonce;
  return hasUploaded ? uploadedNonce(secret, text) : null;
}

/** Milliseconds for which an isolate keeps the secret, so that a database that is restored from a backup gets its own back. */
const MAX_AGE_MS = 60_000;

type LicenseSecret = {
  secret: string;
  /** False while the shop has no uploaded keys, so that a guess reads no database. */
  hasUploaded: boolean;
};

let known: (LicenseSecret & { readAt: number }) | undefined;

type SecretContext = { db: Database; settings: Pick<Settings, "linkSecrets"> };

const PURPOSE = ["license keys"] as const;

/** Reads the secret of all license keys, and creates it when it is needed first. */
export async function readLicenseSecret(ctx: SecretContext): Promise<string> {
  return (await readSecret(ctx)).secret;
}

async function readSecret({ db, settings: { linkSecrets } }: SecretContext): Promise<LicenseSecret> {
  const hasUploaded = sql`EXISTS (SELECT 1 FROM ${uploadedLicenseKeys})`.mapWith(Boolean);
  const find = () => db.select({ sealed: licenseSecrets.sealed, hasUploaded }).from(licenseSecrets).get();
  let found = await find();
  if (!found) {
    const row = { id: 1, ...sealedColumns(linkSecrets, PURPOSE, randomToken("")) };
    await db.insert(licenseSecrets).values(row).onConflictDoNothing();
    found = await find();
  }
  const secret = String(unseal(linkSecrets, PURPOSE, found?.sealed ?? ""));
  known = { secret, hasUploaded: found?.hasUploaded ?? false, readAt: Date.now() };
  return known;
}

/** Uploaded keys as they are stored. */
export async function sealLicenseKeys(ctx: SecretContext, texts: readonly string[]) {
  const secret = await readLicenseSecret(ctx);
  known = { secret, hasUploaded: true, readAt: Date.now() };
  return texts.map((text) => {
    const digits = licenseDigits(text);
    const nonce = uploadedNonce(secret, text);
    const sealed = seal([secret], purposeOf(nonce), text);
    return { nonce, start: digits.slice(0, Math.floor(digits.length / 2)), sealed };
  });
}

/** Nonces by which uploaded keys are found. */
export async function findUploadedKeys(ctx: SecretContext, texts: readonly string[]) {
  const secret = await readLicenseSecret(ctx);
  return texts.map((text) => ({ nonce: uploadedNonce(secret, text) }));
}

/** The secret as this isolate read it in the last minute. Keys of a shop's first list can be unknown until it is read again. */
export const rememberedLicenseSecret = (ctx: SecretContext): Promise<LicenseSecret> | LicenseSecret =>
  known && Date.now() - known.readAt < MAX_AGE_MS ? known : readSecret(ctx);

/** Encrypts the secret under the deployment's newest secret, so that an older one can be dropped. */
export async function resealLicenseSecret({ db, settings: { linkSecrets } }: SecretContext): Promise<void> {
  const stored = await db.select().from(licenseSecrets).get();
  if (!stored || stored.sealedUnder === newestSecret(linkSecrets)) return;
  await db
    .update(licenseSecrets)
    .set(sealedColumns(linkSecrets, PURPOSE, unseal(linkSecrets, PURPOSE, stored.sealed)))
    .where(eq(licenseSecrets.sealed, stored.sealed));
}

const LicensedProduct = z.looseObject({
  order: z.looseObject({
    licenseKeys: z.array(StoredLicense).min(1),
  }),
});

/** Adds the texts of the license keys to the parameters of an e-mail about an order, which the outbox does not store. */
export async function withLicenseKeys(
  ctx: SecretContext,
  params: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { data } = LicensedProduct.safeParse(params);
  if (!data) return params;
  const secret = await readLicenseSecret(ctx);
  const licenseKeys = data.order.licenseKeys.map((each) => ({ ...each, key: licenseKeyText(secret, each) }));
  return { ...data, order: { ...data.order, licenseKeys } };
}
