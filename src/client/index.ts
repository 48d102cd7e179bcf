export type { FileDownload as Download } from "./download.ts";
export { StorefrontError } from "./error.ts";
export type { Credential } from "./requests.ts";
export type { RetryPolicy } from "./retry.ts";
export type { components, operations, paths } from "./schema.ts";
export { createStorefront, type Storefront, type StorefrontOptions } from "./storefront.ts";
export type { Schema } from "./types.ts";
export { verifyWebhook, type WebhookEvent, WebhookVerificationError } from "./webhooks.ts";
