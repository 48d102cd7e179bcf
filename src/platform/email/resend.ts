import type { ResendAccount } from "../settings/email.ts";
import { EmailRefused, type Sender } from "./sender.ts";

const TIMEOUT_MS = 10_000;

/** Resend's HTTP API. It keeps an Idempotency-Key for a day. */
export const resendSender = ({ apiKey, apiUrl }: ResendAccount): Sender => ({
  deduplicates: true,
  send: async ({ key, from, ...email }) => {
    const response = await fetch(new URL("/emails", apiUrl), {
      method: "POST",
      headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json", "Idempotency-Key": key },
      body: JSON.stringify({ from: `${quoted(from.name)} <${from.email}>`, ...email }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer: unknown = await response.json().catch(() => undefined);
    if (response.ok) return;
    const error = String(Reflect.get(Object(answer), "name") ?? response.status);
    // The key is known with other words: it was accepted before, and the recipient or the shop was renamed since.
    if (error === "invalid_idempotent_request") return;
    if (response.status === 400 || response.status === 422) throw new EmailRefused(`Resend: ${error}`);
    throw new Error(`Resend: ${error}`);
  },
});

const quoted = (name: string): string => `"${name.replace(/["\\]/g, "\\$&")}"`;
