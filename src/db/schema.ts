// Every table of the database, a file per noun.
export * from "./tables/api-keys.ts";
export * from "./tables/audit.ts";
export * from "./tables/carts.ts";
export * from "./tables/emails.ts";
export * from "./tables/files.ts";
export * from "./tables/idempotency.ts";
export * from "./tables/link-tokens.ts";
export * from "./tables/orders.ts";
export * from "./tables/packages.ts";
export * from "./tables/payments.ts";
export * from "./tables/product-lists.ts";
export * from "./tables/products.ts";
export * from "./tables/sales.ts";
export * from "./tables/staff.ts";
export * from "./tables/stock.ts";
export * from "./tables/transactions.ts";
export * from "./tables/users.ts";
