import { createHmac, randomBytes } from "node:crypto";
import { sealedColumns, unseal } from "../../platform/auth/seal.ts";
import type { Secrets } from "../../platform/settings/settings.ts";

// Signing secrets are needed in plain text, so they are encrypted rather than hashed.

type WebhookSecrets = { current: string; previous: string | null };

type SealedSecrets = { key: string; sealed: string };

export const webhookPurpose = (key: string) => ["webhook secrets", key] as const;

export const sealSecrets = (deployment: Secrets, key: string, secrets: WebhookSecrets) =>
  sealedColumns(deployment, webhookPurpose(key), secrets);

export const unsealSecrets = (deployment: Secrets, { key, sealed }: SealedSecrets): WebhookSecrets =>
  unseal(deployment, webhookPurpose(key), sealed);

/** Decrypts the secrets that sign at `now`, including the previous one during its grace period. */
export function openSecrets(
  deployment: Secrets,
  endpoint: SealedSecrets & { previousExpiresAt: number | null },
  now: number,
): string[] {
  const { current, previous } = unsealSecrets(deployment, endpoint);
  return previous !== null && (endpoint.previousExpiresAt ?? 0) > now ? [current, previous] : [current];
}

// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString("base64");

/** Returns a delivery's headers, with a signature per secret so that receivers can use either during rotation. */
export function signedHeaders(secrets: readonly string[], id: string, body: string, now: number) {
  const timestamp = String(Math.floor(now / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
