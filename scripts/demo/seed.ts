import { randomBytes } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { creditWallet } from "../../src/accounts/users/credit.ts";
import { hashPassword } from "../../src/accounts/users/sign-in/passwords.ts";
import { newTotpSecret, sealTotp } from "../../src/accounts/users/two-factor/codes.ts";
import { readShop } from "../../src/back-office/shop/shop.ts";
import { issueInvoice } from "../../src/checkout/invoices/issue.ts";
import { createOrder } from "../../src/checkout/orders/create/create-order.ts";
import { draftOrder } from "../../src/checkout/orders/create/draft.ts";
import { insertDraft } from "../../src/checkout/orders/drafts/drafts.ts";
import { paymentTerms } from "../../src/domain/payment-methods.ts";
import { mintApiKey, startOf } from "../../src/platform/auth/api-keys/format.ts";
import { insertApiKey } from "../../src/platform/auth/api-keys/key-record.ts";
import { storefrontPermissions } from "../../src/platform/auth/roles.ts";
import { hashSecret } from "../../src/platform/auth/secrets.ts";
import { connect, type Database, requireRow } from "../../src/platform/db/client.ts";
import {
  discounts,
  feeds,
  orders,
  packageFiles,
  packages,
  pageVersions,
  paymentSettings,
  products,
  type Role,
  shippingMethods,
  shippingZones,
  shop,
  type Tier,
  taxRates,
  totpSecrets,
  users,
} from "../../src/platform/db/schema.ts";
import { skipEvents } from "../../src/platform/email/follow.ts";
import { readSettings, type Settings } from "../../src/platform/settings/settings.ts";
import { type Account, type DemoAccess, WELCOME_CODE } from "../credentials.ts";
import { pastOrders, unitsOf } from "./past-orders.ts";
import { seedRequests } from "./requests.ts";
import { LAST_ID, seedSales, seller } from "./sales.ts";
import { demoProduct, seedCatalogue, soldBefore } from "./shop.ts";

const WALLET_MINOR = 50_000;

/** Fills an empty database and bucket with the demo shop, and returns its credentials. */
export async function seed(env: Env): Promise<DemoAccess> {
  const db = connect(env.DB);
  const past = pastOrders(Date.now(), soldBefore);
  await seedCatalogue(db, env.FILES, unitsOf(past));
  await seedSales(env, db, past);
  await continueIds(db);
  const { id: casey, ...customer } = await seedAccount(db, "customer", "Casey Customer");
  await seedPurchases(env, db, customer.email);
  await seedSettings(db, readSettings(env));
  await seedInvoice(db);
  await seedDraft(env, db, casey);
  const api_keys = {
    standard: await seedKey(env, db, { name: "Demo standard", tier: "standard", permissions: ["read", "write"] }),
    premium: await seedKey(env, db, {
      name: "Demo premium",
      tier: "premium",
      permissions: ["read", "write", "payments:write"],
    }),
    storefront: await seedKey(env, db, {
      name: "Example storefront",
      tier: "premium",
      permissions: storefrontPermissions,
      isUsed: true,
    }),
  };
  const { id: susan } = await seedAccount(db, "support", "Susan Support");
  await seedTwoFactor(env, db, susan);
  // Written last, because it marks the shop as complete.
  const { id: _, ...admin } = await seedAccount(db, "admin", "Ada Admin");
  return { admin, customer, api_keys };
}

/** Continues ids at those of `LAST_ID`: of shipments, and of packages by a handout for a past customer. */
async function continueIds(db: Database): Promise<void> {
  await db.run(sql`UPDATE sqlite_sequence SET seq = ${LAST_ID} WHERE name = 'shipments'`);
  const now = Date.now();
  const handout = { id: LAST_ID, userId: 1, name: "Workshop handout", startsAt: now };
  await db.batch([
    db.insert(packages).values(handout),
    db.insert(packageFiles).values({ packageId: LAST_ID, fileId: 4 }),
  ]);
}

const SELLER = {
  name: "Halftone & Hum",
  address: "4 Printworks Lane",
  city: "Bristol",
  zip: "BS1 6QA",
  country: "GB",
};

const TERMS = `## Prices
All prices include VAT.

## Withdrawal
You can withdraw from your order within 14 days of its delivery, without giving a reason.`;

const instructions = {
  bank_transfer: "Pay to Halftone & Hum, IBAN GB33 BUKB 2020 1555 5555 55. Name your order number.",
  cash: "Pay the courier in cash when your parcel arrives.",
};

/**
 * A shop in the United Kingdom, whose law lets buyers withdraw, in which agents can order. It delivers everywhere. Past
 * orders are older than its delivery and taxes.
 */
async function seedSettings(db: Database, settings: Settings): Promise<void> {
  const now = Date.now();
  const written = { createdAt: now, updatedAt: now };
  const { bank_transfer, cash } = paymentTerms;
  const zone = { kind: "flat_rate", ...written } as const;
  await db.batch([
    db.insert(paymentSettings).values({
      id: 1,
      methods: {
        bank_transfer: { ...bank_transfer.initial, instructions: instructions.bank_transfer },
        cash: { ...cash.initial, offered: true, instructions: instructions.cash },
      },
      ...written,
    }),
    db.insert(shop).values({
      ...(await readShop(db, settings.email)),
      // The demo's prices are in the deployment's currency.
      currency: null,
      homeCountry: "GB",
      pricesIncludeTax: true,
      withdrawalDays: 14,
      address: SELLER,
      agentAccess: "open",
      ...written,
    }),
    db
      .insert(pageVersions)
      .values({ slug: "terms", language: "en", title: "Terms and conditions", text: TERMS, createdAt: now }),
    db.insert(shippingZones).values([
      { id: 1, name: "United Kingdom", places: [{ country: "GB", region: null }], restOfWorld: false, ...written },
      { id: 2, name: "Rest of the world", places: [], restOfWorld: true, ...written },
    ]),
    db.insert(shippingMethods).values([
      { ...zone, zoneId: 1, name: "Standard", price: 390, freeFrom: 10_000, minDays: 2, maxDays: 4 },
      { ...zone, zoneId: 1, name: "Express", price: 990, minDays: 1, maxDays: 1 },
      { ...zone, zoneId: 2, name: "Airmail", price: 1_490, minDays: 5, maxDays: 12 },
    ]),
    db.insert(taxRates).values({
      ...{ name: "VAT", country: "GB", taxClass: "standard", rate: 200_000, taxesShipping: true },
      ...written,
    }),
    // The panel creates the URL of a feed and shows it once.
    db.insert(feeds).values({
      ...{ name: "Google, United Kingdom", format: "google", country: "GB" },
      productUrl: "https://halftone.example/products/{id}",
      ...written,
    }),
    // A code to try in a checkout.
    db.insert(discounts).values({
      ...{ name: "Welcome", code: WELCOME_CODE, kind: "percentage", percent: 100_000 },
      ...written,
    }),
  ]);
}

/** An invoice for the download that the demo customer bought. */
async function seedInvoice(db: Database): Promise<void> {
  const download = await db
    .select()
    .from(orders)
    .where(eq(orders.id, LAST_ID + 2))
    .get();
  await db.run(issueInvoice(requireRow(download).reference, "manual"));
}

/** An order that staff prepare for the customer. */
async function seedDraft(env: Env, db: Database, customer: number): Promise<void> {
  const author = { actor: "system", address: null, requestId: "seed", now: Date.now() };
  const ctx = { env, db, caller: seller, author, settings: readSettings(env) };
  const items = [{ product_id: 1, quantity: 2 }];
  await insertDraft(ctx, { user_id: customer, items, payment_method: "bank_transfer" });
}

/** A second factor whose secret nobody knows. */
async function seedTwoFactor(env: Env, db: Database, userId: number): Promise<void> {
  const now = Date.now();
  const sealed = sealTotp(readSettings(env).linkSecrets, userId, await newTotpSecret());
  await db.insert(totpSecrets).values({ userId, ...sealed, confirmedAt: now, createdAt: now });
}

async function seedAccount(db: Database, role: Role, name: string): Promise<Account & { id: number }> {
  const account = { email: `${role}@demo.example`, password: randomBytes(12).toString("base64url") };
  const now = Date.now();
  const passwordHash = await hashPassword(account.password);
  const [row] = await db
    .insert(users)
    .values({ email: account.email, name, role, passwordHash, emailVerifiedAt: now, createdAt: now, updatedAt: now })
    .returning({ id: users.id });
  return { ...account, ...requireRow(row) };
}

/** Gives the customer money in the wallet, a shipped order and a download package. */
async function seedPurchases(env: Env, db: Database, email: string): Promise<void> {
  const user = await db.select().from(users).where(eq(users.email, email)).get();
  if (!user) throw new Error(`There is no ${email}`);
  const author = { actor: "system", address: null, requestId: "seed", now: Date.now() };
  await creditWallet(
    { db, author },
    { target: { id: user.id, scope: "everybody" }, amount: WALLET_MINOR, reason: "Welcome" },
  );
  const caller = {
    kind: "user",
    id: user.id,
    role: "customer",
    sessionId: "seed",
    authenticatedAt: 0,
    hasTwoFactor: false,
  } as const;
  const shipping_address = { name: user.name, address: "12 Harbour Row", city: "Bristol", zip: "BS1 5TY" };
  for (const type of ["physical", "digital"] as const) {
    const product = await db
      .select()
      .from(products)
      .where(eq(products.sku, demoProduct(type).sku))
      .get();
    if (!product) throw new Error(`The demo shop lost a ${type} product`);
    const items = [{ product_id: product.id, quantity: 1, price: product.price }];
    const order = { items, shipping_address, payment_method: "wallet" } as const;
    const author = { actor: `user:${user.id}`, address: null, requestId: "seed", now: Date.now() };
    const ctx = { env, db, caller, author, settings: readSettings(env) };
    await createOrder(ctx, draftOrder(ctx, { order, cartToken: undefined }));
  }
  // Orders from before the shop opened send no e-mails or webhooks.
  await skipEvents(db);
}

type DemoKey = { name: string; tier: Tier; permissions: string[]; isUsed?: boolean };

async function seedKey(env: Env, db: Database, { name, tier, permissions, isUsed = false }: DemoKey): Promise<string> {
  const key = mintApiKey(readSettings(env).apiKeySecrets);
  const now = Date.now();
  const [row] = await insertApiKey(db, {
    name,
    start: startOf(key),
    hash: hashSecret(key),
    permissions,
    tier,
    lastUsedAt: isUsed ? now : null,
    createdAt: now,
    updatedAt: now,
  });
  if (isUsed && row) await seedRequests(db, row.id, now);
  return key;
}
