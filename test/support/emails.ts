import { env } from "cloudflare:workers";
import { followEvents } from "../../src/apps/follow-events.ts";
import { queueStockDigest } from "../../src/catalogue/products/stock-digest.ts";
import { announceDeprecations } from "../../src/integrations/api-keys/announce-deprecations.ts";
import { publishExpiringKeys, publishUnusedKeys } from "../../src/integrations/events/events.ts";
import { sendEmails } from "../../src/platform/email/send.ts";
import { queueDailySummaries } from "../../src/platform/email/staff-notifications.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { everyMinute } from "../../src/scheduled.ts";
import { callWith } from "./call.ts";
import { db } from "./shop.ts";

type Delivered = { to: string; subject: string; html: string; text: string; from: { email: string; name: string } };

/** A binding that delivers into a list. `fail` may throw instead. */
export function aMailbox(fail: (email: Delivered) => void = () => undefined) {
  const delivered: Delivered[] = [];
  const EMAIL: SendEmail = {
    send: async (email: unknown) => {
      fail(email as Delivered);
      delivered.push(email as Delivered);
      return { messageId: `<${delivered.length}@shop.test>` };
    },
  };
  return { delivered, EMAIL };
}

/** Sender of the e-mails. Without this setting, e-mails wait. */
export const MAIL_FROM = "shop@shop.test";

/** Settings of a deployment that sends e-mails. */
export const sending = readSettings({ ...env, MAIL_FROM });

/** Runs the schedule at a given time in a deployment that sends e-mails, with some bindings replaced. */
export const scheduledAt = (now: number, bindings: object = {}) => everyMinute({ ...env, MAIL_FROM, ...bindings }, now);

/** Runs the tasks of the schedule that write and send e-mails, in a deployment with these bindings. */
export async function emailPass(bindings: object, now: number): Promise<void> {
  const bound = { ...env, ...bindings };
  await queueStockDigest(db, now);
  await queueDailySummaries(db, now);
  await announceDeprecations(db, now);
  await publishExpiringKeys(db, now);
  await publishUnusedKeys(db, now);
  await followEvents(bound);
  await sendEmails({ env: bound, db, settings: readSettings(bound) }, now);
}

/** Sends the e-mails that are due and returns them, or only those to one address. */
export async function delivered(to?: string, now = Date.now()): Promise<Delivered[]> {
  const mailbox = aMailbox();
  await sendEmails({ env: mailbox, db, settings: sending }, now);
  return mailbox.delivered.filter((email) => to === undefined || email.to === to);
}

/** The token in an e-mail's link. */
export function tokenIn({ text }: Pick<Delivered, "text">): string {
  const [, token] = /[?&]token=([\w.%-]+)/.exec(text) ?? [];
  if (token === undefined) throw new Error(`There is no link in: ${text}`);
  return decodeURIComponent(token);
}

/** A deployment that sends e-mails: calls to it, and the e-mails delivered meanwhile, without their HTML. */
export function aSendingShop() {
  const mailbox = aMailbox();
  const bindings = { ...mailbox, MAIL_FROM };
  return {
    bindings,
    call: (line: string, options?: Parameters<typeof callWith>[2]) => callWith(bindings, line, options),
    /** E-mails to an address since the last call. */
    received: (address: string) => {
      const mine = mailbox.delivered.filter(({ to }) => to === address);
      for (const email of mine) mailbox.delivered.splice(mailbox.delivered.indexOf(email), 1);
      return mine;
    },
  };
}
