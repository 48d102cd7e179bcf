import * as z from "zod";
import { graceSeconds, iso, isoOrNull, partialUpdate, Timestamp } from "../../domain/fields.ts";
import { UNUSED_DAYS, UNUSED_MS } from "../../domain/limits.ts";
import { toRecord } from "../../domain/record.ts";
import { changeShape, newShape, type ResponseSchemas } from "../../platform/administration/fields.ts";
import { type apiKeys, tiers } from "../../platform/db/schema.ts";
import { deprecations } from "../../platform/http/deprecations.ts";
import { pageFields } from "../../platform/http/pagination.ts";
import type { KeyHistory, RequestFigures } from "../../platform/metrics/figures.ts";
import { policies } from "../../platform/rate-limit/policies.ts";
import { type RegionUsage, sumCounts, sumMinutes } from "../../platform/rate-limit/usage.ts";
import { apiKeyFields } from "./fields.ts";

export const keyStates = ["active", "expired", "revoked"] as const;

export const ApiKeysQuery = z.strictObject({
  ...pageFields,
  search: z
    .string()
    .trim()
    .max(200)
    .optional()
    .describe("Part of the name, the first characters of a key, or a complete key"),
  state: z.enum(keyStates).optional(),
  tier: z.enum(tiers).optional(),
  unused: z.literal("true").optional().describe(`Active keys that have been unused for ${UNUSED_DAYS} days`),
});
export type ApiKeysQuery = z.output<typeof ApiKeysQuery>;

export const ApiKeyCreate = z
  .strictObject({
    ...newShape(apiKeyFields),
    test: z
      .boolean()
      .default(false)
      .describe("True for a test key: its orders move no money and take no stock. It cannot be changed later"),
  })
  .meta({ id: "ApiKeyCreate" });
export type ApiKeyCreate = z.output<typeof ApiKeyCreate>;

export const ApiKeyUpdate = partialUpdate("ApiKeyUpdate", changeShape(apiKeyFields));
export type ApiKeyUpdate = z.output<typeof ApiKeyUpdate>;

export const Rotation = z.strictObject({
  grace_seconds: graceSeconds(0).describe("Grace period in seconds, during which the previous value still works"),
});
export type Rotation = z.output<typeof Rotation>;

export type ApiKeyRow = typeof apiKeys.$inferSelect;

export const ApiKey = z
  .object({
    id: z.int(),
    name: z.string(),
    start: z.string().describe("First characters of the key, for recognizing it"),
    permissions: z.array(z.string()),
    tier: z.enum(tiers),
    test: z.boolean().describe("True for a test key, whose orders move no money"),
    allowed_addresses: z
      .array(z.string())
      .describe("Addresses and ranges from which the key may be used. Any address if empty"),
    allowed_origins: z
      .array(z.string())
      .describe("Origins of the web pages that may use the key. Empty for a server key"),
    state: z.enum(keyStates),
    expires_at: Timestamp.nullable(),
    previous_expires_at: Timestamp.nullable().describe(
      "Time until which the previous value of a rotated key still works",
    ),
    last_used_at: Timestamp.nullable(),
    unused_since: Timestamp.nullable().describe(
      `Last use of an active key that has been unused for ${UNUSED_DAYS} days, or its creation if it was never used. Null for all other keys`,
    ),
    revoked_at: Timestamp.nullable(),
    created_by: z.int().nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  } satisfies ResponseSchemas<typeof apiKeyFields>)
  .meta({ id: "ApiKey" });

/** The key in the administration API, with its state at `now`. */
export const toApiKey = (row: ApiKeyRow, now: number): z.output<typeof ApiKey> =>
  toRecord(ApiKey, row, {
    state: stateAt(row, now),
    previous_expires_at: (row.previousExpiresAt ?? 0) > now ? isoOrNull(row.previousExpiresAt) : null,
    unused_since: isoOrNull(unusedSince(row, now)),
  });

/** Response that shows the key's value, once. */
export const ApiKeyWithSecret = z
  .object({ ...ApiKey.shape, key: z.string().describe("Value of the key, shown only once") })
  .meta({ id: "ApiKeyWithSecret" });

/** An API key and its value, which is shown only once. */
export type ApiKeyWithSecret = ApiKeyRow & { key: string };

/** An API key with its value, in its state when the value was created. */
export const toApiKeyWithSecret = ({ key, ...row }: ApiKeyWithSecret): z.output<typeof ApiKeyWithSecret> => ({
  ...toApiKey(row, row.updatedAt),
  key,
});

const counts = { admitted: z.int(), refused: z.int() };

/** Requests of a key in the last hour, in total and per region. `limit` is what its tier allows in any 60 s. */
export const KeyUsage = z
  .object({
    limit: z.int(),
    ...counts,
    minutes: z.array(z.object({ at: Timestamp, ...counts })),
    regions: z.array(z.object({ region: z.string(), ...counts })),
  })
  .meta({ id: "Usage" });

export function toUsage({ tier }: ApiKeyRow, usage: RegionUsage[], now: number): z.output<typeof KeyUsage> {
  const minutes = sumMinutes(usage, now);
  return {
    limit: policies[tier].limit,
    ...sumCounts(minutes),
    minutes: minutes.map(({ at, admitted, refused }) => ({ at: iso(at), admitted, refused })),
    regions: usage.map(({ region, minutes }) => ({ region, ...sumCounts(minutes) })),
  };
}

const latency = z.int().nullable();

const figures = {
  requests: z.int(),
  refused: z.int().describe("Requests refused with 429, because the key had used up its limit"),
  client_errors: z.int().describe("Other responses with a 4xx status"),
  server_errors: z.int().describe("Responses with a 5xx status"),
  p50_ms: latency.describe("Milliseconds within which half of the requests were answered. Null without requests"),
  p95_ms: latency.describe("Milliseconds within which 95 % of the requests were answered. Null without requests"),
};

/** Requests of a key in the last 90 days, by day and by route. */
export const KeyRequests = z
  .object({
    days: z.array(z.object({ day: z.iso.date().describe("A day in UTC"), ...figures })),
    routes: z
      .array(
        z.object({
          route: z.string().describe('Method and path: "GET /api/v1/user/products/{id}"'),
          ...figures,
          last_used_at: Timestamp,
          sunset: z.iso.date().nullable().describe("Day on which a deprecated operation ends. Null for all others"),
        }),
      )
      .describe("The routes that the key used, the busiest first"),
  })
  .meta({ id: "KeyRequests" });

const toFigures = ({ requests, refused, clientErrors, serverErrors, p50, p95 }: RequestFigures) => ({
  requests,
  refused,
  client_errors: clientErrors,
  server_errors: serverErrors,
  p50_ms: p50,
  p95_ms: p95,
});

export const toKeyRequests = ({ days, routes }: KeyHistory): z.output<typeof KeyRequests> => ({
  days: days.map((day) => ({ day: iso(day.at).slice(0, 10), ...toFigures(day) })),
  routes: routes.map((route) => ({
    route: route.route,
    ...toFigures(route),
    last_used_at: iso(route.lastAt),
    sunset: deprecations[route.route]?.sunset ?? null,
  })),
});

export type KeyState = (typeof keyStates)[number];

/** Time since which an active key has been unused, if that is long at `now`. Otherwise null. */
export function unusedSince(key: Pick<ApiKeyRow, "revokedAt" | "expiresAt" | "lastUsedAt" | "createdAt">, now: number) {
  const usedAt = key.lastUsedAt ?? key.createdAt;
  return stateAt(key, now) === "active" && usedAt <= now - UNUSED_MS ? usedAt : null;
}

/** Returns the state of a key at `now`. A revoked key stays revoked, whatever its expiry. */
export function stateAt(key: Pick<typeof apiKeys.$inferSelect, "revokedAt" | "expiresAt">, now: number): KeyState {
  if (key.revokedAt !== null) return "revoked";
  return key.expiresAt !== null && key.expiresAt <= now ? "expired" : "active";
}
