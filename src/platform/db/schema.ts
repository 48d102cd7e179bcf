// Every table of the database, one file per subject. Code that runs at startup imports only the files that it needs.

export * from "./tables/agents.ts";
export * from "./tables/api-keys.ts";
export * from "./tables/backups.ts";
export * from "./tables/carts.ts";
export * from "./tables/credentials.ts";
export * from "./tables/discounts.ts";
export * from "./tables/emails.ts";
export * from "./tables/events.ts";
export * from "./tables/files.ts";
export * from "./tables/jobs.ts";
export * from "./tables/monitoring.ts";
export * from "./tables/order-history.ts";
export * from "./tables/orders.ts";
export * from "./tables/payments.ts";
export * from "./tables/product-lists.ts";
export * from "./tables/products.ts";
export * from "./tables/sales.ts";
export * from "./tables/shipping.ts";
export * from "./tables/shop.ts";
export * from "./tables/stock.ts";
export * from "./tables/taxes.ts";
export * from "./tables/users.ts";
export * from "./tables/writes.ts";
