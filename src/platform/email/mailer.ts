import type { EmailSettings, ResendAccount } from "../settings/email.ts";
import type { Rendered } from "./render.tsx";

/** What sends, the address that e-mails come from, and what their links begin with. */
export type Mailer = { sender: Sender; from: string; linkBase: string };

/** The binding is optional, whatever its generated type says. */
export type EmailEnv = { EMAIL?: SendEmail | undefined };

/** How this deployment sends e-mails: by Resend if its key is set, else by the binding. Or what is missing for it. */
export function mailerOf({ EMAIL }: EmailEnv, settings: EmailSettings): Mailer | { missing: string } {
  const { from, linkBase, resend } = settings;
  const sender = resend ? resendSender(resend) : EMAIL && cloudflareSender(EMAIL);
  if (!sender) return { missing: "the send_email binding EMAIL, or RESEND_API_KEY" };
  if (from === null) return { missing: "MAIL_FROM" };
  if (linkBase === null) return { missing: "SHOP_URL or WORKER_URL" };
  return { sender, from, linkBase };
}

/** Whether e-mails are sent at all. What is news only for a while is not even queued where none is. */
export const canSend = (env: EmailEnv, settings: EmailSettings): boolean => !("missing" in mailerOf(env, settings));

/** Codes that are about this e-mail alone. Any other is about the account or the moment: it may be sent later. */
const REFUSALS = new Set(["E_RECIPIENT_SUPPRESSED", "E_VALIDATION_ERROR", "E_CONTENT_TOO_LARGE"]);

/** Cloudflare's Email Service, by its binding. It takes no id by which it could tell an e-mail that is sent again. */
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

type Mailbox = { email: string; name: string };

/** `key` is the e-mail's own: the same when it is sent again because no answer came. */
export type OutgoingEmail = Rendered & { key: string; to: string; from: Mailbox };

/** A service that sends e-mails. It throws `EmailRefused` for one that it will never send; anything else is tried again. */
type Sender = {
  /** Whether one that is sent again under its key is delivered once. */
  deduplicates: boolean;
  send: (email: OutgoingEmail) => Promise<void>;
};

/** The e-mail itself was refused, its recipient for example: it would be again. The message is for administrators. */
export class EmailRefused extends Error {}
