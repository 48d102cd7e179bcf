import { env } from "cloudflare:workers";
import { sendEmails } from "../../src/platform/email/send.ts";
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

/** Without it e-mails wait. */
export const MAIL_FROM = "shop@shop.test";

/** The settings of a deployment that sends e-mails. */
export const sending = readSettings({ ...env, MAIL_FROM });

/** Runs the schedule as it runs at a moment in such a deployment, with some bindings replaced. */
export const scheduledAt = (now: number, bindings: object = {}) => everyMinute({ ...env, MAIL_FROM, ...bindings }, now);

/** The e-mails that are due, to one address if that is named; they are sent by it. */
export async function delivered(to?: string, now = Date.now()): Promise<Delivered[]> {
  const mailbox = aMailbox();
  await sendEmails({ env: mailbox, db, settings: sending }, now);
  return mailbox.delivered.filter((email) => to === undefined || email.to === to);
}

/** The token in the link of an e-mail. */
export function tokenIn({ text }: Pick<Delivered, "text">): string {
  const [, token] = /[?&]token=([\w%-]+)/.exec(text) ?? [];
  if (token === undefined) throw new Error(`There is no link in: ${text}`);
  return decodeURIComponent(token);
}

/** A deployment that sends e-mails: calls to it, and what it delivered to an address meanwhile, without the HTML. */
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
