// Every table of the database: the `tables.ts` of each feature. Code that runs at startup imports only those that it needs.

export * from "../../accounts/users/sign-in/tables.ts";
export * from "../../accounts/users/tables.ts";
export * from "../../back-office/backups/tables.ts";
export * from "../../back-office/sales/tables.ts";
export * from "../../back-office/shop/tables.ts";
export * from "../../catalogue/products/listing/tables.ts";
export * from "../../catalogue/products/stock.tables.ts";
export * from "../../catalogue/products/tables.ts";
export * from "../../checkout/cart/tables.ts";
export * from "../../checkout/discounts/tables.ts";
export * from "../../checkout/invoices/tables.ts";
export * from "../../checkout/orders/order-history.tables.ts";
export * from "../../checkout/orders/tables.ts";
export * from "../../checkout/payments/tables.ts";
export * from "../../checkout/shipping/tables.ts";
export * from "../../checkout/taxes/tables.ts";
export * from "../../downloads/files/tables.ts";
export * from "../../integrations/agents/tables.ts";
export * from "../../integrations/api-keys/tables.ts";
export * from "../../integrations/apps/tables.ts";
export * from "../../integrations/apps/tokens.tables.ts";
export * from "../../integrations/events/tables.ts";
export * from "../email/tables.ts";
export * from "../jobs/tables.ts";
export * from "../metrics/tables.ts";
export * from "./tables.ts";
