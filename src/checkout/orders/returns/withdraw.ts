import { and, eq, or, sql } from "drizzle-orm";
import * as z from "zod";
import { Email } from "../../../domain/contact.ts";
import { notFound } from "../../../domain/errors.ts";
import { iso, line, Timestamp } from "../../../domain/fields.ts";
import type { Language } from "../../../domain/language.ts";
import { nameWithValues } from "../../../domain/option-values.ts";
import { shopTimeZone } from "../../../domain/time.ts";
import type { AuthorContext, WriteContext } from "../../../platform/auth/caller.ts";
import { limitAccount } from "../../../platform/auth/gates.ts";
import { requireFirst, requireRow } from "../../../platform/db/client.ts";
import { emails, orders, users } from "../../../platform/db/schema.ts";
import { insertSelected, violates } from "../../../platform/db/statements.ts";
import { MOST_UNVERIFIED, recentOrderEmails } from "../../../platform/email/emails.ts";
import { newKey } from "../../../platform/email/switches.ts";
import { writeOnce } from "../../../platform/idempotency/claims.ts";
import { hasNumber, selectOrders } from "../orders.ts";
import { orderReferencePrefix } from "../reference.ts";
import type { OrderRow } from "../schemas.ts";
import { insertReturn, isSameWithdrawal, type ReturnedLines, readOpenUnits, returnableLines } from "./create.ts";
import { deliveryDays, withdrawalDays, withdrawalEnd } from "./period.ts";
import { ReturnedItems } from "./schemas.ts";

/** A declaration of withdrawal: nothing beyond what identifies the buyer and the contract (directive 2011/83/EU, article 11a). */
export const WithdrawalCreate = z
  .strictObject({
    name: line(100),
    email: Email.describe("E-mail address of the order. The receipt is sent there"),
    order: line(40).describe("Order number or reference"),
    items: ReturnedItems.describe("Line items and quantities to withdraw from. Defaults to the whole order"),
    description: line(500).optional().describe("Items to withdraw from in words, if their ids are not known"),
  })
  .meta({ id: "WithdrawalCreate" });
export type WithdrawalCreate = z.output<typeof WithdrawalCreate>;

export const WithdrawalReceipt = z
  .object({ name: z.string(), email: z.string(), order: z.string(), received_at: Timestamp })
  .meta({
    id: "WithdrawalReceipt",
    description: "Equal for orders that exist and others, so that it tells nothing about them",
  });

const shopLanguage = sql<Language>`coalesce((SELECT language FROM shop), 'en')`;

/** The terms of withdrawal. A shop with 0 days does not offer it. */
export const readWithdrawalTerms = async ({ db }: Pick<WriteContext, "db">) =>
  requireFirst(await db.select({ withdrawalDays, deliveryDays, language: shopLanguage }).from(sql`(SELECT 1)`));

/** Returns the terms of withdrawal. Throws unless the shop offers it. */
export async function requireWithdrawal(ctx: Pick<WriteContext, "db">) {
  const terms = await readWithdrawalTerms(ctx);
  if (terms.withdrawalDays === 0) throw notFound("Withdrawal");
  return { ...terms, timeZone: shopTimeZone() };
}

/** Counts a declaration by its e-mail address, whoever sends it and whether or not its order exists. */
export const limitWithdrawals = (c: { env: Env }, email: string): Promise<void> =>
  limitAccount(c, "sign-up", `withdrawal:${email}`);

/**
 * Records a declaration of withdrawal, and queues its receipt to the order's address in the same batch. It is recorded late:
 * the shop decides, and the receipt only says that it arrived. Exempt lines are left out, as the receipt says. A declaration
 * that takes no units, because they are exempt or already coming back, is recorded without any: it still needs a receipt of
 * its content and time (article 11a (4)). If it only repeats another, the receipt of that one is sent again. An unverified
 * address may belong to a stranger, so it gets only a few e-mails about orders per hour, receipts included. An order that
 * does not exist, or has another address, is answered after the same queries.
 */
export async function declareWithdrawal(
  ctx: AuthorContext,
  sent: WithdrawalCreate,
): Promise<z.output<typeof WithdrawalReceipt>> {
  const { db, author } = ctx;
  const terms = await requireWithdrawal(ctx);
  const order = await findOrder(ctx, sent);
  const open = await readOpenUnits(db, order?.id ?? 0);
  const lines = withdrawnLines(order ? returnableLines(order, open, "withdrawal") : [], sent.items);
  const end = order ? withdrawalEnd(order, terms) : null;
  const { name, email } = sent;
  const items = sent.description ?? (order && sent.items ? wordsOf(order, sent.items) : null);
  const late = end !== null && author.now >= end;
  const withdrawal = { name, email, items };
  const row = { status: "requested", requestedBy: "withdrawal", withdrawal, late } as const;
  const orderId = items === "" ? 0 : (order?.id ?? 0);
  const receipt = { name, email, order: sent.order, received_at: iso(author.now) };
  const writes = [
    ...insertReturn(ctx, { orderId, row, lines, audit: null }),
    insertSelected(
      emails,
      {
        key: newKey,
        template: "withdrawal_received",
        userId: orders.userId,
        orderId: orders.id,
        recipient: email,
        params: sql`json_object('returnId', (SELECT max(id) FROM returns WHERE order_id = ${orderId} AND ${isSameWithdrawal(withdrawal)}))`,
        dueAt: author.now,
        createdAt: author.now,
      },
      sql`FROM ${orders} WHERE ${orders.id} = ${orderId} AND (
        EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${orders.userId} AND ${users.email} = ${email}
          AND ${users.emailVerifiedAt} IS NOT NULL)
        OR ${recentOrderEmails(sql`${email}`, author.now)} < ${MOST_UNVERIFIED})`,
    ),
  ];
  const written = writeOnce<typeof receipt>(ctx, { writes, answer: sql`${JSON.stringify(receipt)}` });
  return requireRow(
    await written.catch((error: unknown) => {
      // The units were withdrawn from at the same moment, or too often.
      if (violates(error, "return_exceeds_order") || violates(error, "too_many_returns")) return receipt;
      throw error;
    }),
  );
}

/** The order with a number or reference and an e-mail address: the account's, or the guest's. */
const findOrder = ({ db }: AuthorContext, { order, email }: WithdrawalCreate): Promise<OrderRow | undefined> =>
  selectOrders(db)
    .where(
      and(
        or(hasNumber(order), eq(orders.reference, orderReferencePrefix(order) ?? "")),
        eq(orders.sandbox, false),
        sql`${email} IN (lower(${orders.customerEmail}), (SELECT ${users.email} FROM ${users} WHERE ${users.id} = ${orders.userId}))`,
      ),
    )
    .get();

/** The named units that are left. Others are ignored, because an error would tell that the order exists. */
const withdrawnLines = (returnable: ReturnedLines, named: ReturnedLines | undefined): ReturnedLines =>
  returnable
    .map(({ id, quantity }) => ({
      id,
      quantity: named ? Math.min(quantity, named.find((each) => each.id === id)?.quantity ?? 0) : quantity,
    }))
    .filter(({ quantity }) => quantity > 0);

/** The named items in words. Empty if none is of the order. */
const wordsOf = ({ items }: OrderRow, named: ReturnedLines): string =>
  named
    .flatMap(({ id, quantity }) =>
      items.filter((item) => item.id === id).map((item) => `${quantity} × ${nameWithValues(item)}`),
    )
    .join(", ");
