import type { Context } from "hono";
import { rememberTimeZone } from "../../domain/time.ts";
import type { AppEnv } from "../auth/gates.ts";
import { withLicenseKeys } from "../auth/license-keys.ts";
import { type LinkedOrder, orderLinkToken } from "../auth/order-link.ts";
import { unseal } from "../auth/seal.ts";
import { allowsMore, type Database } from "../db/client.ts";
import { inBackground } from "../http/background.ts";
import { log } from "../http/log.ts";
import { onFirstUse } from "../http/on-first-use.ts";
import { holdBack } from "../queues/work-off.ts";
import type { Settings } from "../settings/settings.ts";
import {
  type ClaimedEmail,
  claimEmails,
  markFailed,
  markSent,
  type ShopTexts,
  shopTextsOf,
  tokenPurpose,
} from "./emails.ts";
import { type EmailEnv, EmailRefused, type Mailer, mailerOf, type OutgoingEmail } from "./mailer.ts";

type Outbox = { env: EmailEnv; db: Database; settings: Settings };

/** Batches of one run, so that it takes less than a minute. */
const MOST_ROUNDS = 20;

/** Sends all due e-mails. They wait while none can be sent. `now` is the time at the start. */
export async function sendEmails(outbox: Outbox, now = Date.now()): Promise<void> {
  const startedAt = Date.now();
  for (let round = 0; round < MOST_ROUNDS && allowsMore(outbox.db); round++) {
    // Each round has the time of its own claim. With the run's start, a slow run's e-mails would count as cut off at once.
    if (!(await sendSome(outbox, now + Date.now() - startedAt))) return;
  }
}

type SendingContext = Pick<Context, "executionCtx"> & { env: Env; var: Pick<AppEnv["Variables"], "db" | "settings"> };

/** Sends e-mails queued by the request, after the response. The schedule retries failures. */
export const sendInBackground = (c: SendingContext): void =>
  inBackground(c, "send e-mails", sendSome({ env: c.env, ...c.var }, Date.now()));

/** Sends some due e-mails. Returns true if more may be due. */
async function sendSome({ env, db, settings }: Outbox, now: number): Promise<boolean> {
  const mailer = mailerOf(env, settings.email);
  if ("missing" in mailer) return false;
  const { claimed, more } = await claimEmails(db, mailer.sender.deduplicates, now);
  const attempts = claimed.map(async (email) => {
    try {
      await sendOne(db, settings, mailer, email, now);
    } catch (error) {
      await holdBack(db, now, "send_emails", email.id, error);
    }
  });
  await Promise.all(attempts);
  return more;
}

/** The shop's sender and address for replies. */
export const mailboxesOf = (email: string, { shopName, senderName, replyTo }: ShopTexts) => ({
  from: { email, name: senderName ?? shopName },
  ...(replyTo !== null && { replyTo }),
});

async function sendOne(db: Database, settings: Settings, { sender, from }: Mailer, email: ClaimedEmail, now: number) {
  const texts = shopTextsOf(email.shop, settings.email);
  rememberTimeZone(email.timeZone);
  try {
    const params = await withLicenseKeys({ db, settings }, email.params);
    await sender.send({ ...(await written(settings, { ...email, params }, texts)), ...mailboxesOf(from, texts) });
  } catch (error) {
    // A sender's message may contain the recipient: it is shown in the panel, not logged.
    log("error", { message: "an e-mail was not sent", email: email.id, attempt: email.attempts });
    const reason = error instanceof Error ? error.message : String(error);
    await markFailed(db, email, reason, error instanceof EmailRefused, now);
    return;
  }
  await recordSent(db, email, now);
}

/** Retries, because a sent e-mail must be recorded. */
async function recordSent(db: Database, email: ClaimedEmail, now: number, tries = 3): Promise<void> {
  try {
    await markSent(db, email, now);
  } catch (error) {
    if (tries === 1) throw error;
    await recordSent(db, email, now, tries - 1);
  }
}

/** The templates and their renderer, loaded when an isolate sends its first e-mail. */
export const loadTemplates = onFirstUse(async () => {
  const [{ isTemplate }, { render }] = await Promise.all([import("./templates.ts"), import("./render.tsx")]);
  return { isTemplate, render };
});

async function written(
  settings: Settings,
  email: ClaimedEmail,
  texts: ShopTexts,
): Promise<Omit<OutgoingEmail, "from">> {
  const { key, recipient, template, params, name, language, ownTexts, toStaff, token } = email;
  const { isTemplate, render } = await loadTemplates();
  if (!isTemplate(template)) throw new EmailRefused(`The template ${template} no longer exists`);
  if (recipient === null) throw new EmailRefused("It has no recipient");
  const opened = token === null ? null : String(unseal(settings.linkSecrets, tokenPurpose(key), token));
  const orderToken = (order: LinkedOrder) => orderLinkToken(settings.linkSecrets, order);
  const shop = { ...settings.email, ...texts, orderToken };
  return {
    key,
    to: recipient,
    ...(await render(shop, template, { name, language, ownTexts, toStaff, params, token: opened })),
  };
}
