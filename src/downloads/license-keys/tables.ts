import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "../../accounts/users/tables.ts";
import { products } from "../../catalogue/products/tables.ts";
import { orderItems, orders } from "../../checkout/orders/tables.ts";
import { createdAt, flag, foreignId, id, rowId, updatedAt } from "../../platform/db/columns.ts";

/** License keys of sold units. The text of a generated key is not stored: it follows from `nonce`, `prefix` and the secret. */
export const licenseKeys = sqliteTable(
  "license_keys",
  {
    id: rowId(),
    /** Random hex digits with which a generated key begins after its prefix, which reveal nothing about the rest, or the HMAC of an uploaded key. */
    nonce: text().notNull().unique(),
    prefix: text(),
    /** Name of the product when it was sold. */
    name: text().notNull(),
    productId: foreignId("product_id", () => products.id),
    orderId: foreignId("order_id", () => orders.id),
    orderItemId: foreignId("order_item_id", () => orderItems.id),
    /** The buyer's account. Null for a guest. */
    userId: integer("user_id").references(() => users.id),
    activationLimit: integer("activation_limit").notNull(),
    /** Counted by triggers. */
    activations: integer().notNull().default(0),
    expiresAt: integer("expires_at"),
    updatesUntil: integer("updates_until"),
    revokedAt: integer("revoked_at"),
    /** True for the key of a test order. */
    test: flag("test").notNull().default(false),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    check("license_activations_within_limit", sql.raw(`"activations" <= "activation_limit"`)),
    index("license_keys_by_user").on(table.userId).where(sql.raw("user_id IS NOT NULL")),
    index("license_keys_by_order").on(table.orderId),
    index("license_keys_by_line").on(table.orderItemId),
    index("license_keys_by_product").on(table.productId),
  ],
);

/** License keys that the shop got from a publisher and sells one by one. A key that was paid for is never sold again. */
export const uploadedLicenseKeys = sqliteTable(
  "uploaded_license_keys",
  {
    id: id(),
    productId: foreignId("product_id", () => products.id, { onDelete: "cascade" }),
    /** HMAC by which a key is found. */
    nonce: text().notNull().unique(),
    /** First half of the key, by which staff find it. */
    start: text().notNull(),
    /** The key, encrypted under the secret of license keys. */
    sealed: text().notNull(),
    /** The line whose payment took the key. */
    orderItemId: integer("order_item_id").references(() => orderItems.id),
    createdAt: createdAt(),
  },
  (table) => [
    index("license_keys_unsold").on(table.productId, table.id).where(sql.raw("order_item_id IS NULL")),
    index("uploaded_license_keys_by_line").on(table.orderItemId).where(sql.raw("order_item_id IS NOT NULL")),
    index("uploaded_license_keys_by_start").on(table.start),
  ],
);

/** Devices on which a license key is active. */
export const licenseActivations = sqliteTable(
  "license_activations",
  {
    licenseKeyId: foreignId("license_key_id", () => licenseKeys.id),
    /** Chosen by the software, or random. */
    instanceId: text("instance_id").notNull(),
    name: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.licenseKeyId, table.instanceId] })],
);

/**
 * The secret from which all license keys follow, encrypted under the deployment's secret. Keys outlive rotations of the deployment's
 * secret, so it is encrypted again and never replaced.
 */
export const licenseSecrets = sqliteTable(
  "license_secrets",
  {
    id: integer().primaryKey(),
    sealed: text().notNull(),
    sealedUnder: text("sealed_under").notNull(),
  },
  () => [check("license_secret_is_one_row", sql.raw(`"id" = 1`))],
);
