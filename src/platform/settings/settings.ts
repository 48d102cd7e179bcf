import * as z from "zod";
import { shopCurrency, toMinor } from "../../domain/money.ts";
import { DAY_MS } from "../../domain/time.ts";
import { type BackupSettings, backupBindings, readBackupSettings } from "./backups.ts";
import { type EmailSettings, emailBindings, readEmailSettings } from "./email.ts";
import { DevelopmentError, misconfigured } from "./misconfigured.ts";
import { type ProviderSettings, paymentBindings, readProviderSettings, TrueOrFalse } from "./payments.ts";
import {
  readSigningKeys,
  readTokenKeys,
  SigningKeyList,
  type SigningKeys,
  TokenKeyList,
  type TokenKeys,
} from "./signing-keys.ts";

type WebhookSettings = {
  /** The resolver of names: DNS over HTTPS, with JSON responses. */
  dnsUrl: string;
  /** Hosts of this shop, which webhooks must not call. */
  ownHosts: string[];
  /** True if webhooks may call http://localhost. */
  allowsLocalhost: boolean;
};

const webhookBindings = {
  DNS_URL: z.url("is not an address"),
  WEBHOOK_LOCALHOST: z
    .enum(["true", "false"], 'is neither "true" nor "false"')
    .default("false")
    .transform((text) => text === "true"),
};

type Bindings = { [Name in keyof typeof webhookBindings]: z.output<(typeof webhookBindings)[Name]> };

const readWebhookSettings = (bindings: Bindings & { WORKER_URL: string }): WebhookSettings => ({
  dnsUrl: bindings.DNS_URL,
  ownHosts: bindings.WORKER_URL === "" ? [] : [new URL(bindings.WORKER_URL).hostname],
  allowsLocalhost: bindings.WEBHOOK_LOCALHOST,
});

/** A rotating list: the newest secret signs, every secret verifies. */
export type Secrets = readonly [newest: string, ...older: string[]];

/** The deployment's secrets and settings, read from the Worker's bindings and validated. */
export type Settings = {
  apiKeySecrets: Secrets;
  linkSecrets: Secrets;
  tokenKeys: TokenKeys;
  tokenIssuer: string;
  signingKeys: SigningKeys;
  /** The Worker's own address. Null if not set. */
  workerUrl: string | null;
  /** ISO 4217. Amounts of money follow it, because staff can choose another one until there are prices. */
  readonly currency: string;
  publicCatalog: boolean;
  unpaidLimits: UnpaidLimits;
  /** True if accounts can order only after verifying their e-mail address. */
  verifiedBuyers: boolean;
  email: EmailSettings;
  webhooks: WebhookSettings;
  /** Base address of the service that checks VAT IDs. */
  viesUrl: string;
  /** True if staff must have a second factor. */
  staffTwoFactor: boolean;
  /** Minor units that a member of staff other than an administrator may move in 24 hours. */
  readonly staffSpendingLimit: number;
  retention: Retention;
  /** Time after a paid period in which the access of a subscription goes on. */
  renewalGraceMs: number;
  /** Seconds for which counts of requests are added up in memory before they are written. 0 writes none. */
  requestFlushSeconds: number;
  backups: BackupSettings;
  /** Size that the platform allows the database to reach. */
  databaseLimitBytes: number;
  /** Minor units above which a recent password or code is required. */
  readonly reauthenticateAbove: number;
  /** True if e-mail addresses may use domains reserved for examples and tests. True in development only. */
  allowsReservedDomains: boolean;
} & ProviderSettings;

/** Days for which personal data is kept unless something else deletes it earlier. */
type Retention = { auditAddressDays: number; emailDays: number };

/**
 * Limits of one buyer's unpaid orders: `units` of a product or `percent` of its stock, whichever is more. An account without
 * a verified address may hold `unverified` units in total. A buyer without one holds units for at most `unverifiedMs`.
 */
export type UnpaidLimits = {
  orders: number;
  units: number;
  percent: number;
  unverified: number;
  unverifiedMs: number;
};

/** A short or repetitive secret was typed by hand or copied from an example. */
const Secret = z
  .string()
  .min(32, "is shorter than 32 characters")
  .refine(
    (secret) =>
      new Set(secret).size >= 12 && !/secret|change|replace|example|placeholder|password|random|your-/i.test(secret),
    "is not random: it looks like a placeholder",
  );

const SecretList = z
  .string("is missing")
  .transform((list) => list.split(",").map((secret) => secret.trim()))
  .pipe(z.tuple([Secret], Secret));

const wholeFrom = (least: number, most: number) =>
  z
    .string("is missing")
    .regex(/^\d{1,9}$/, "is not a whole number")
    .transform(Number)
    .refine((value) => value >= least && value <= most, `is not from ${least} to ${most}`);

const Bindings = z.object({
  API_KEY_SECRET: SecretList,
  LINK_SECRET: SecretList,
  TOKEN_KEYS: TokenKeyList,
  SIGNING_KEYS: SigningKeyList,
  TOKEN_ISSUER: z.string().min(1, "is empty"),
  CURRENCY: z.string().regex(/^[A-Z]{3}$/, "is not an ISO 4217 code"),
  PUBLIC_CATALOG: TrueOrFalse,
  UNPAID_ORDERS: wholeFrom(1, 1_000),
  UNPAID_UNITS: wholeFrom(0, 1_000_000),
  UNPAID_PERCENT: wholeFrom(0, 100),
  STAFF_SPENDING_LIMIT: wholeFrom(0, 100_000_000),
  STAFF_TWO_FACTOR: TrueOrFalse,
  RETAIN_AUDIT_ADDRESSES_DAYS: wholeFrom(31, 3_650),
  RETAIN_EMAILS_DAYS: wholeFrom(1, 3_650),
  RENEWAL_GRACE_DAYS: wholeFrom(0, 60),
  UNVERIFIED_UNITS: wholeFrom(0, 1_000_000),
  DEVELOPMENT: z.string().optional(),
  VERIFIED_BUYERS: TrueOrFalse,
  REAUTHENTICATE_ABOVE: wholeFrom(0, 100_000_000),
  REQUEST_FLUSH_SECONDS: wholeFrom(0, 25),
  DATABASE_LIMIT_MB: wholeFrom(100, 1_000_000),
  // Set by tests, and for a mirror of VIES.
  VIES_URL: z.url("is not an address").default("https://ec.europa.eu/taxation_customs/vies/rest-api"),
  ...paymentBindings,
  ...emailBindings,
  ...webhookBindings,
  ...backupBindings,
});

let last: { env: Env; from: string; settings: Settings } | undefined;

/** Reads and validates the bindings once per isolate. Throws a sentence that names the invalid one and the remedy. */
export function readSettings(env: Env): Settings {
  if (last?.env === env) return last.settings;
  const from = Object.keys(Bindings.shape)
    .map((name) => String(Reflect.get(env, name)))
    .join("\n");
  const settings = last?.from === from ? last.settings : parse(env);
  last = { env, from, settings };
  return settings;
}

/** The response names the invalid setting in development; in production only the log does. */
function parse(env: Env): Settings {
  try {
    return readBindings(env);
  } catch (error) {
    if (env.DEVELOPMENT !== "true" || !(error instanceof Error)) throw error;
    throw new DevelopmentError(error.message);
  }
}

function readBindings(env: Env): Settings {
  const { data, error } = Bindings.safeParse(env);
  if (error) throw misconfigured(String(error.issues[0]?.path[0]), String(error.issues[0]?.message));
  return {
    apiKeySecrets: data.API_KEY_SECRET,
    linkSecrets: data.LINK_SECRET,
    tokenKeys: readTokenKeys(data.TOKEN_KEYS),
    tokenIssuer: data.TOKEN_ISSUER,
    signingKeys: readSigningKeys(data.SIGNING_KEYS),
    workerUrl: data.WORKER_URL || null,
    get currency() {
      return shopCurrency();
    },
    publicCatalog: data.PUBLIC_CATALOG,
    unpaidLimits: {
      orders: data.UNPAID_ORDERS,
      units: data.UNPAID_UNITS,
      percent: data.UNPAID_PERCENT,
      unverified: data.UNVERIFIED_UNITS,
      unverifiedMs: 3 * DAY_MS,
    },
    verifiedBuyers: data.VERIFIED_BUYERS,
    email: readEmailSettings(data),
    webhooks: readWebhookSettings(data),
    viesUrl: data.VIES_URL,
    retention: { auditAddressDays: data.RETAIN_AUDIT_ADDRESSES_DAYS, emailDays: data.RETAIN_EMAILS_DAYS },
    renewalGraceMs: data.RENEWAL_GRACE_DAYS * DAY_MS,
    backups: readBackupSettings(data),
    staffTwoFactor: data.STAFF_TWO_FACTOR,
    get staffSpendingLimit() {
      return toMinor(data.STAFF_SPENDING_LIMIT);
    },
    requestFlushSeconds: data.REQUEST_FLUSH_SECONDS,
    databaseLimitBytes: data.DATABASE_LIMIT_MB * 1_000_000,
    get reauthenticateAbove() {
      return toMinor(data.REAUTHENTICATE_ABOVE);
    },
    allowsReservedDomains: data.DEVELOPMENT === "true",
    ...readProviderSettings(data),
  };
}
