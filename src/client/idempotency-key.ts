import type { Middleware } from "openapi-fetch";
import type { paths } from "./schema.ts";

export const IDEMPOTENCY_KEY = "Idempotency-Key";

type HeaderOf<Path extends keyof paths> = paths[Path] extends { post: { parameters: { header?: infer Header } } }
  ? keyof NonNullable<Header>
  : never;

type OncePath = { [Path in keyof paths]: typeof IDEMPOTENCY_KEY extends HeaderOf<Path> ? Path : never }[keyof paths];

/** Routes that accept an Idempotency-Key. The compiler checks this list against the OpenAPI document. */
const idempotentPaths: Record<OncePath, true> = {
  "/api/v1/user/orders": true,
  "/api/v1/user/account/orders/{orderId}/cancel": true,
  "/api/v1/user/account/addresses": true,
  "/api/v1/user/auth/signup": true,
  "/api/v1/user/cart": true,
  "/api/v1/admin/products/batch": true,
  "/api/v1/admin/products": true,
  "/api/v1/admin/products/{id}/variants": true,
  "/api/v1/admin/saved-views": true,
  "/api/v1/admin/backups": true,
  "/api/v1/admin/products/bulk-actions": true,
  "/api/v1/admin/orders": true,
  "/api/v1/admin/draft-orders": true,
  "/api/v1/admin/draft-orders/{id}/send": true,
  "/api/v1/admin/draft-orders/{id}/place": true,
  "/api/v1/admin/orders/bulk-actions": true,
  "/api/v1/admin/users/bulk-actions": true,
  "/api/v1/admin/products/{id}/stock": true,
  "/api/v1/admin/images": true,
  "/api/v1/admin/categories": true,
  "/api/v1/admin/discounts": true,
  "/api/v1/admin/orders/{id}/notes": true,
  "/api/v1/admin/orders/{id}/shipments": true,
  "/api/v1/admin/orders/{id}/edits": true,
  "/api/v1/admin/orders/{id}/refunds": true,
  "/api/v1/admin/orders/{id}/returns": true,
  "/api/v1/admin/returns/{id}/settle": true,
  "/api/v1/user/account/orders/{orderId}/returns": true,
  "/api/v1/admin/users/{id}/credit": true,
  "/api/v1/admin/files": true,
  "/api/v1/admin/files/{id}/versions": true,
  "/api/v1/admin/uploads": true,
  "/api/v1/admin/uploads/{id}/complete": true,
  "/api/v1/admin/packages": true,
  "/api/v1/admin/api-keys": true,
  "/api/v1/admin/api-keys/{id}/rotate": true,
  "/api/v1/admin/shop/presets/country": true,
  "/api/v1/admin/shop/presets/eu": true,
  "/api/v1/admin/shop/presets/us": true,
  "/api/v1/admin/shipping-zones": true,
  "/api/v1/admin/shipping-methods": true,
  "/api/v1/admin/feeds": true,
  "/api/v1/admin/feeds/{id}/address": true,
  "/api/v1/admin/tax-rates": true,
  "/api/v1/admin/imports/customers": true,
  "/api/v1/admin/imports/customers/{id}/check": true,
  "/api/v1/admin/imports/customers/{id}/start": true,
  "/api/v1/admin/imports/products": true,
  "/api/v1/admin/imports/products/{id}/check": true,
  "/api/v1/admin/imports/products/{id}/start": true,
  "/api/v1/admin/jobs/{id}/cancel": true,
  "/api/v1/admin/jobs/{id}/undo": true,
  "/api/v1/admin/webhooks": true,
  "/api/v1/admin/webhooks/{id}/rotate": true,
  "/api/v1/admin/webhooks/{id}/test": true,
  "/api/v1/admin/webhooks/{id}/deliveries/{delivery}/retry": true,
  "/api/v1/admin/staff/invitations": true,
  "/api/v1/admin/users": true,
  "/api/v1/admin/users/{id}/invite": true,
  "/api/v1/admin/users/{id}/notes": true,
  "/api/v1/admin/staff/invitations/{id}/resend": true,
  "/api/v1/admin/webhooks/{id}/replay": true,
};

/**
 * Adds an Idempotency-Key to calls that create or move something, the same for all attempts, unless the caller set one.
 */
export const withIdempotencyKey: Middleware = {
  onRequest({ request, schemaPath }) {
    if (request.method !== "POST" || !Object.hasOwn(idempotentPaths, schemaPath)) return;
    if (!request.headers.has(IDEMPOTENCY_KEY)) request.headers.set(IDEMPOTENCY_KEY, crypto.randomUUID());
  },
};
