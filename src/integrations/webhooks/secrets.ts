import { createHmac, randomBytes } from "node:crypto";
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

// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString("base64");

/** The headers of a delivery: its signature by each secret, so that a receiver may know either while they rotate. */
export function signedHeaders(secrets: readonly string[], id: string, body: string, now: number) {
  const timestamp = String(Math.floor(now / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
