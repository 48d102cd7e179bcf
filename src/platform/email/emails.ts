import { and, desc, eq, getTableColumns, inArray, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { isOwnVerified, orderContent } from "../../checkout/orders/emails/order-facts.ts";
import { requireFound } from "../../domain/errors.ts";
import type { Language } from "../../domain/language.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time.ts";
import { auditEntry, type Entry } from "../audit/audit.ts";
import type { Author, WriteContext } from "../auth/caller.ts";
import { seal, unseal } from "../auth/seal.ts";
import { type Database, runAll } from "../db/client.ts";
import { json, jsonRow } from "../db/json.ts";
import { allOf, type Conditions, type PageOf, readPage } from "../db/page.ts";
import { DEFAULT_COLOR, emailStates, emails, shop, users } from "../db/schema.ts";
import { insertSelected, updateRows } from "../db/statements.ts";
import { savedTimeZone } from "../db/time-zone.ts";
import { pageFields } from "../http/pagination.ts";
import { delayAfter } from "../queues/failed-items.ts";
import { claim, workOffInBulk } from "../queues/work-off.ts";
import type { EmailSettings } from "../settings/email.ts";
import type { Settings } from "../settings/settings.ts";
import type { Params, TemplateName } from "./templates.ts";
import type { OwnTexts } from "./texts.ts";

/** The shop in e-mails, and on pages that buyers open from them. Empty texts are not set. */
export type ShopTexts = {
  shopName: string;
  contact: string;
  logo: { url: string; alt: string } | null;
  color: string;
  senderName: string | null;
  replyTo: string | null;
};

const { name: savedName, contact, logo, color, senderName, replyTo } = shop;
const shopColumns = { shopName: savedName, contact, logo, color, senderName, replyTo };

/** The shop as set by administrators, for use in other statements. Null if not set. */
const savedShop = json<ShopTexts | null>(sql`ifnull((SELECT ${jsonRow<ShopTexts>(shopColumns)} FROM shop), 'null')`);

/** The shop as administrators set it, with the deployment's name until they do. */
export const shopTextsOf = (
  saved: ShopTexts | null | undefined,
  { shopName }: Pick<EmailSettings, "shopName">,
): ShopTexts => saved ?? { shopName, contact: "", logo: null, color: DEFAULT_COLOR, senderName: null, replyTo: null };

export async function readShopTexts(db: Database, settings: Pick<EmailSettings, "shopName">): Promise<ShopTexts> {
  return shopTextsOf(await db.select(shopColumns).from(shop).get(), settings);
}

/** The shop's name: set by administrators, or by the deployment. */
export const readShopName = async (db: Database, settings: Pick<EmailSettings, "shopName">): Promise<string> =>
  (await readShopTexts(db, settings)).shopName;

/** With `delayAfter`, the last attempt is more than a day after the first. */
const MAX_ATTEMPTS = 31;

/** An e-mail to an account's address, or to `to`. */
type NewEmail<Name extends TemplateName> = {
  template: Name;
  params: Params<Name>;
  userId: number | SQL;
  to?: string;
  /** Token and expiry of the link. */
  link?: { token: string; expiresAt: number };
};

type QueueContext = { settings: Pick<Settings, "linkSecrets">; author: Pick<Author, "now"> };

/**
 * The statement that queues an e-mail in the batch that causes it. `sendInBackground` sends it afterwards. The
 * recipient is read at that point of the batch. An unverified address may belong to a stranger and gets only a few. If
 * `userId` is SQL without result, no e-mail is queued.
 */
export function queueEmail<Name extends TemplateName>(
  { settings, author: { now } }: QueueContext,
  { template, params, userId, to, link }: NewEmail<Name>,
): SQL {
  const key = crypto.randomUUID();
  const token = link ? seal(settings.linkSecrets, tokenPurpose(key), link.token) : null;
  const recipient = to ?? ownAddress(userId, now);
  const times = { expiresAt: link?.expiresAt, dueAt: now, createdAt: now };
  return insertSelected(emails, { key, template, userId: sql`${userId}`, recipient, params, token, ...times });
}

/** E-mails per hour to an unverified address: one limit for account e-mails and another for order e-mails. */
export const MOST_UNVERIFIED = 10;

/** Number of e-mails about orders that an address got within the last hour. */
export const recentOrderEmails = (recipient: SQL, now: number): SQL => sql`(
  SELECT count(*) FROM emails AS others
  WHERE others.recipient = ${recipient} AND others.order_id IS NOT NULL AND others.created_at > ${now - HOUR_MS})`;

const ownAddress = (userId: number | SQL, now: number): SQL => sql`
  (SELECT ${users.email} FROM ${users} WHERE ${users.id} = ${userId}
    AND (${users.emailVerifiedAt} IS NOT NULL OR ${MOST_UNVERIFIED} > (
      SELECT count(*) FROM ${emails} WHERE ${emails.userId} = ${users.id} AND ${emails.orderId} IS NULL
        AND ${emails.createdAt} > ${now - HOUR_MS})))`;

export const tokenPurpose = (key: string) => ["token of an e-mail", key] as const;

/** E-mails sent at a time. */
const SENT_AT_ONCE = 10;

/** Number of due e-mails that are searched for one that cannot be claimed. */
const MOST_DUE = 50;

/** Milliseconds after which an unfinished attempt counts as cut off. */
const ATTEMPT_MS = 2 * 60_000;

/** Greets by name only once the address is verified: to a stranger the name may be anything. */
const name = sql<string | null>`(SELECT name FROM users WHERE ${isOwnVerified})`;

/** True if the reader is staff, or will be. */
const toStaff =
  sql<boolean>`template = 'staff_invitation' OR EXISTS (SELECT 1 FROM users WHERE id = emails.user_id AND role <> 'customer')`.mapWith(
    Boolean,
  );

/** The buyer's language, or else the shop's. */
const language = sql<Language>`coalesce((SELECT language FROM orders WHERE id = order_id),
  (SELECT language FROM users WHERE id = emails.user_id), (SELECT language FROM shop), 'en')`;

/** The shop's own texts of the e-mail in that language. Null if there are none. */
const ownTexts = json<OwnTexts | null>(sql`ifnull((
  SELECT json_object('subject', subject, 'introduction', introduction) FROM email_texts
  WHERE email_texts.template = emails.template AND email_texts.language = ${language}
), 'null')`);

/** The template's parameters from the queueing batch, and its order. */
const params = json<Record<string, unknown>>(sql`
  iif(order_id IS NULL, params, json_set(params, '$.order', json(${orderContent})))`);

/**
 * Claims due e-mails, so that concurrent callers get others. An e-mail whose sending was cut off may have been delivered: it
 * is sent again only if the sender recognizes its key.
 */
export async function claimEmails(db: Database, deduplicates: boolean, now: number) {
  const { rows, failed } = await claim(db, now, {
    queue: "send_emails",
    id: sql`emails.id`,
    due: (which) => sql`
      SELECT id FROM emails WHERE due_at <= ${now} AND state IN ('waiting', 'sending') AND ${which}
      ORDER BY due_at, id LIMIT ${MOST_DUE}`,
    write: (which) => claimSome(db, deduplicates, now, which),
  });
  return { claimed: rows, more: rows.length + failed >= SENT_AT_ONCE };
}

/** Claims some of the e-mails that meet a condition. */
async function claimSome(db: Database, deduplicates: boolean, now: number, which: SQL) {
  const isCutOff = and(eq(emails.state, "sending"), lte(emails.dueAt, now), which);
  const due = sql`(SELECT id FROM emails WHERE due_at <= ${now} AND state = 'waiting' AND ${which} ORDER BY due_at, id LIMIT ${SENT_AT_ONCE})`;
  const [, , , claimed] = await db.batch([
    db.delete(emails).where(and(isNull(emails.recipient), lte(emails.dueAt, now), which)),
    deduplicates
      ? db.update(emails).set({ state: "waiting" }).where(isCutOff)
      : db
          .update(emails)
          .set({ state: "failed", dueAt: null, reason: "Sending was interrupted, so it may have arrived" })
          .where(isCutOff),
    db
      .update(emails)
      .set({ state: "failed", dueAt: null, reason: "Its link expired before it could be sent" })
      .where(and(eq(emails.state, "waiting"), lte(emails.dueAt, now), lte(emails.expiresAt, now), which)),
    db
      .update(emails)
      .set({ state: "sending", attempts: sql`attempts + 1`, dueAt: now + ATTEMPT_MS })
      .where(sql`id IN ${due}`)
      .returning({
        id: emails.id,
        key: emails.key,
        template: emails.template,
        recipient: emails.recipient,
        toStaff,
        params,
        token: emails.token,
        attempts: emails.attempts,
        name,
        language,
        ownTexts,
        shop: savedShop,
        timeZone: savedTimeZone,
      }),
  ]);
  return claimed;
}
export type ClaimedEmail = Awaited<ReturnType<typeof claimSome>>[number];

/** Matches this attempt only. */
const attemptOf = ({ id, attempts }: Pick<ClaimedEmail, "id" | "attempts">) =>
  and(eq(emails.id, id), eq(emails.attempts, attempts), eq(emails.state, "sending"));

export const markSent = (db: Database, email: ClaimedEmail, now: number) =>
  db.update(emails).set({ state: "sent", dueAt: null, reason: null, sentAt: now }).where(attemptOf(email));

/** Schedules the next attempt, or gives up after the last one or if another would fail too. */
export function markFailed(db: Database, email: ClaimedEmail, reason: string, isFinal: boolean, now: number) {
  const given = isFinal || email.attempts >= MAX_ATTEMPTS;
  const next = given
    ? ({ state: "failed", dueAt: null } as const)
    : ({ state: "waiting", dueAt: now + delayAfter(email.attempts) } as const);
  return db
    .update(emails)
    .set({ ...next, reason })
    .where(attemptOf(email));
}

/** Deletes e-mails some days after they were written unless they are pending, and those without a recipient. */
export const deleteOldEmails = (db: Database, now: number, days: number): Promise<void> =>
  workOffInBulk(db, now, {
    queue: "delete_emails",
    id: emails.id,
    where: or(and(lte(emails.createdAt, now - days * DAY_MS), isNull(emails.dueAt)), isNull(emails.recipient)),
  });

/** An e-mail in the outbox, without its link's token. */
export type OutboxRow = Omit<typeof emails.$inferSelect, "token" | "key" | "params">;

const { token: _, key: __, params: ___, ...columns } = getTableColumns(emails);

export function listEmails(db: Database, query: EmailsQuery): Promise<PageOf<OutboxRow>> {
  const where = allOf({ state: query.state && eq(emails.state, query.state) } satisfies Conditions<EmailsQuery>);
  const rows = db.select(columns).from(emails).where(where).orderBy(desc(emails.id));
  return readPage(db, query, rows, emails, where);
}

/** Queues an e-mail again under a new key, to be delivered again. One that is pending or being sent stays unchanged. */
export async function sendAgain(ctx: Pick<WriteContext, "db" | "settings" | "author">, id: number): Promise<void> {
  const { db, author } = ctx;
  const { linkSecrets } = ctx.settings;
  const email = await requireFound(db.select().from(emails).where(eq(emails.id, id)).get(), `E-mail ${id}`);
  const key = crypto.randomUUID();
  const token =
    email.token && seal(linkSecrets, tokenPurpose(key), unseal(linkSecrets, tokenPurpose(email.key), email.token));
  const settled = sql`${eq(emails.id, id)} AND ${eq(emails.key, email.key)} AND ${inArray(emails.state, ["sent", "failed"])}`;
  const pending = { state: "waiting", reason: null, attempts: 0, sentAt: null, dueAt: author.now } as const;
  const entry = { action: "send_email_again", after: { email: email.template } };
  await runAll(db, [
    ...auditedAs(email).map((subject) => auditEntry(ctx, { ...entry, ...subject })),
    updateRows(emails, { key, token, ...pending }, settled),
  ]);
}

/** The audited subject of an e-mail: an account, or a guest's order. */
function auditedAs({ userId, orderId }: OutboxRow): Pick<Entry, "subject" | "id">[] {
  if (userId !== null) return [{ subject: "user", id: userId }];
  return orderId === null ? [] : [{ subject: "order", id: orderId }];
}

export const EmailsQuery = z.strictObject({ ...pageFields, state: z.enum(emailStates).optional() });
export type EmailsQuery = z.output<typeof EmailsQuery>;
