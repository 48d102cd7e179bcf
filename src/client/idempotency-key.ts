import type { Middleware } from "openapi-fetch";
import { idempotentPaths } from "./schema.ts";

export const IDEMPOTENCY_KEY = "Idempotency-Key";

/**
 * Adds an Idempotency-Key to calls that create or move something, the same for all attempts, unless the caller set one.
 */
export const withIdempotencyKey: Middleware = {
  onRequest({ request, schemaPath }) {
    if (request.method !== "POST" || !idempotentPaths.has(schemaPath)) return;
    if (!request.headers.has(IDEMPOTENCY_KEY)) request.headers.set(IDEMPOTENCY_KEY, crypto.randomUUID());
  },
};
