import { connect } from "../db/client.ts";
import { readSettings } from "../settings/settings.ts";
import { queueEventEmails, skipEvents } from "./event-queries.ts";
import { canSend } from "./mailer.ts";
import { sendEmails } from "./send.ts";

/** Queues the e-mails of what has happened, and sends them. */
export async function writeEventEmails(env: Env): Promise<void> {
  const outbox = { env, db: connect(env.DB), settings: readSettings(env) };
  if (!canSend(env, outbox.settings.email)) return;
  for (let more = true; more; ) {
    const batch = await queueEventEmails(outbox.db, Date.now());
    if (batch.queued > 0) await sendEmails(outbox);
    more = batch.more;
  }
}

/** While no e-mail can be sent none is queued, nor once it can: it would be old news. */
export async function skipEventEmails(env: Env): Promise<void> {
  if (!canSend(env, readSettings(env).email)) await skipEvents(connect(env.DB));
}
