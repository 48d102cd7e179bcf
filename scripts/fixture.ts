import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { TOTP } from "otpauth";
import { openDatabase, STATE } from "./database/local.ts";
import { searchStatements } from "./database/migrations.ts";
import { readDocument } from "./openapi/build.ts";
import { callEveryOperation } from "./openapi/examples/every-operation.ts";
import type { Shop } from "./openapi/examples/shop.ts";
import { acceptNulls } from "./openapi/nulls.ts";
import { dumpOf } from "./release/dump.ts";
import { type ShopFixture, writeReleasedApi, writeShopFixture } from "./release/fixtures.ts";
import { newSecrets } from "./secrets.ts";

// `npm run fixture` stores a shop of this release with its responses to every GET and its OpenAPI document in
// test/upgrade/fixtures. Later releases test that they can upgrade it. `npm run release` runs this.

type Product = { id: number; price: number };

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const secrets = await newSecrets();

writeShopFixture(await callEveryOperation(secrets, closeShop));
const document = await readDocument(".");
acceptNulls(document);
writeReleasedApi(version, document);

// The Worker's runtime records the responses, as it compares them later.
const env = { ...process.env, RECORD_ANSWERS: version };
const { status } = spawnSync("vitest", ["run", "--project", "worker", "test/upgrade"], { env, stdio: "inherit" });
process.exitCode = status ?? 1;

async function closeShop(shop: Shop): Promise<(folder: string) => Promise<ShopFixture>> {
  const key = shop.access.api_keys.premium;
  const { token: customer } = await shop.ask("logIn", { body: shop.access.customer });
  const address = { name: "Casey Customer", address: "12 Harbour Row", city: "Bristol", zip: "BS1 5TY", country: "GB" };
  await shop.ask("createMyAddress", { as: customer, body: { ...address, default: true } });
  const [product] = await shop.ask("listProducts", { as: key, query: { in_stock: "true", type: "digital" } });
  await shop.ask("addCartItem", { as: customer, body: { product_id: product.id } });
  const cart = await shop.ask("addCartItem", { as: key, body: { product_id: product.id } });
  const { token: administrator } = await shop.ask("logIn", { body: shop.access.admin });
  await useDiscount(shop, administrator, customer, product);
  await addSettings(shop, administrator);
  await useTwoFactor(shop, customer);
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
  return async (folder) => {
    const database = openDatabase(join(folder, STATE));
    const dump = dumpOf(database, searchStatements());
    database.close();
    return {
      note: "Test data. These secrets and credentials belong to this fixture alone.",
      version,
      closedAt: Date.now(),
      secrets,
      callers: {
        administrator: bearer(administrator),
        key: { ...bearer(key), "X-Cart-Token": cart.token },
        customer: bearer(customer),
        guest: {},
      },
      dump,
    };
  };
}

/** Adds settings, because the examples delete all of theirs. */
async function addSettings(shop: Shop, as: string): Promise<void> {
  const zone = await shop.ask("createShippingZone", { as, body: { name: "Germany", places: [{ country: "DE" }] } });
  await shop.ask("createShippingMethod", {
    as,
    body: { zone_id: zone.id, name: "Parcel", kind: "flat_rate", price: 4.9 },
  });
  await shop.ask("createTaxRate", { as, body: { name: "VAT", country: "DE", rate: 19 } });
  await shop.ask("createSavedView", {
    as,
    body: { list: "orders", name: "To ship", filters: { status: "processing" } },
  });
}

async function useDiscount(shop: Shop, as: string, customer: string, { id, price }: Product): Promise<void> {
  await shop.ask("createDiscount", { as, body: { name: "Spring", code: "SPRING", kind: "percentage", percent: 10 } });
  const body = {
    items: [{ product_id: id, quantity: 1, price }],
    discount_codes: ["SPRING"],
    payment_method: "wallet",
  };
  await shop.ask("createOrder", { as: customer, body });
}

async function useTwoFactor(shop: Shop, as: string): Promise<void> {
  const { secret } = await shop.ask("enableTwoFactor", {
    as,
    body: { current_password: shop.access.customer.password },
  });
  await shop.ask("confirmTwoFactor", { as, body: { code: new TOTP({ secret }).generate() } });
}
