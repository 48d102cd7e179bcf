import type { EmailSettings } from "../settings/email.ts";
import { cloudflareSender } from "./cloudflare.ts";
import { resendSender } from "./resend.ts";
import type { Sender } from "./sender.ts";

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
