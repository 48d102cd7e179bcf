import type { apiKeys } from "../../platform/db/schema.ts";

export const keyStates = ["active", "expired", "revoked"] as const;
export type KeyState = (typeof keyStates)[number];

/** The state of a key at `now`. A revoked key stays revoked, whatever its expiry. */
export function stateAt(key: Pick<typeof apiKeys.$inferSelect, "revokedAt" | "expiresAt">, now: number): KeyState {
  if (key.revokedAt !== null) return "revoked";
  return key.expiresAt !== null && key.expiresAt <= now ? "expired" : "active";
}
