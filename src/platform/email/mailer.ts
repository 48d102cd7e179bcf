import type { EmailSettings, ResendAccount } from "../settings/email.ts";
import type { RenderedEmail } from "./render.tsx";

/** The sender, the sender address, and the base of links. */
export type Mailer = { sender: Sender; from: string; linkBase: string };

/** The binding is optional, despite its generated type. */
export type EmailEnv = { EMAIL?: SendEmail | undefined };

/**
 * How this deployment sends e-mails: through Resend if its key is set, else through the binding. Otherwise, what is missing.
 */
export function mailerOf({ EMAIL }: EmailEnv, settings: EmailSettings): Mailer | { missing: string } {
  const { from, linkBase, resend } = settings;
  const sender = resend ? resendSender(resend) : EMAIL && cloudflareSender(EMAIL);
  if (!sender) return { missing: "the send_email binding EMAIL, or RESEND_API_KEY" };
  if (from === null) return { missing: "MAIL_FROM" };
  if (linkBase === null) return { missing: "SHOP_URL or WORKER_URL" };
  return { sender, from, linkBase };
}

/** True if e-mails can be sent. Short-lived news is not queued otherwise. */
export const canSend = (env: EmailEnv, settings: EmailSettings): boolean => !("missing" in mailerOf(env, settings));

/**
 * Error codes about this e-mail only. Others are temporary or about the account, and are retried:
 * https://developers.cloudflare.com/email-service/api/send-emails/workers-api/
 */
const REFUSALS = new Set(["E_RECIPIENT_SUPPRESSED", "E_VALIDATION_ERROR", "E_CONTENT_TOO_LARGE"]);

/** Cloudflare's Email Service through its binding. It cannot recognize a repeated e-mail. */
const cloudflareSender = (binding: SendEmail): Sender => ({
  deduplicates: false,
  send: async ({ key: _, ...email }) => {
    try {
      await binding.send(email);
    } catch (error) {
      const code = String(Reflect.get(Object(error), "code") ?? "");
      if (REFUSALS.has(code)) throw new EmailRefused(code);
      throw error;
    }
  },
});

const TIMEOUT_MS = 10_000;

/** Resend's HTTP API. It keeps an Idempotency-Key for a day. */
const resendSender = ({ apiKey, apiUrl }: ResendAccount): Sender => ({
  deduplicates: true,
  send: async ({ key, from, replyTo, ...email }) => {
    const response = await fetch(new URL("/emails", apiUrl), {
      method: "POST",
      headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json", "Idempotency-Key": key },
      // Its names: https://resend.com/docs/api-reference/emails/send-email
      body: JSON.stringify({ from: `${quoted(from.name)} <${from.email}>`, reply_to: replyTo, ...email }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer: unknown = await response.json().catch(() => undefined);
    if (response.ok) return;
    const error = String(Reflect.get(Object(answer), "name") ?? response.status);
    // The key is known with other content: the e-mail was accepted before, and the recipient or the shop was renamed.
    if (error === "invalid_idempotent_request") return;
    if (response.status === 400 || response.status === 422) throw new EmailRefused(`Resend: ${error}`);
    throw new Error(`Resend: ${error}`);
  },
});

const quoted = (name: string): string => `"${name.replace(/["\\]/g, "\\$&")}"`;

type Mailbox = { email: string; name: string };

/** `key` identifies the e-mail across repeated attempts. */
export type OutgoingEmail = RenderedEmail & { key: string; to: string; from: Mailbox; replyTo?: string };

/** A service that sends e-mails. It throws `EmailRefused` for e-mails that it will never send; other errors are retried. */
type Sender = {
  /** True if a repeated e-mail with the same key is delivered once. */
  deduplicates: boolean;
  send: (email: OutgoingEmail) => Promise<void>;
};

/**
 * The e-mail itself was refused, for example its recipient, and would be refused again. The message is for administrators.
 */
export class EmailRefused extends Error {}
