import { sealedColumns, unseal } from "../../platform/auth/seal.ts";
import type { Secrets } from "../../platform/settings/settings.ts";

// The secrets that sign deliveries are needed in the clear, so they are stored encrypted.

type WebhookSecrets = { current: string; previous: string | null };

type Sealed = { key: string; sealed: string };

const purposeOf = (key: string) => ["webhook secrets", key] as const;

export const sealSecrets = (deployment: Secrets, key: string, secrets: WebhookSecrets) =>
  sealedColumns(deployment, purposeOf(key), secrets);

export const unsealSecrets = (deployment: Secrets, { key, sealed }: Sealed): WebhookSecrets =>
  unseal(deployment, purposeOf(key), sealed);

/** The secrets that sign at `now`: the one before, too, until its end. */
export function openSecrets(
  deployment: Secrets,
  endpoint: Sealed & { previousExpiresAt: number | null },
  now: number,
): string[] {
  const { current, previous } = unsealSecrets(deployment, endpoint);
  return previous !== null && (endpoint.previousExpiresAt ?? 0) > now ? [current, previous] : [current];
}
