import { and, desc, eq, getTableColumns, sql } from "drizzle-orm";
import { badRequest, fieldError } from "../../domain/errors.ts";
import { formatAmount, toDecimal } from "../../domain/money.ts";
import { type ApiKeyCaller, isOwn, type UserCaller, type WriteContext } from "../../platform/auth/caller.ts";
import { readLicenseKey, rememberedLicenseSecret } from "../../platform/auth/license-keys.ts";
import { type Database, requireRow } from "../../platform/db/client.ts";
import { jsonRow } from "../../platform/db/json.ts";
import { type PageOf, readPage } from "../../platform/db/page.ts";
import { giftCards, orders, transactions, users } from "../../platform/db/schema.ts";
import { insertSelected, translateViolations } from "../../platform/db/statements.ts";
import type { PageQuery } from "../../platform/http/pagination.ts";
import { writeOnce } from "../../platform/idempotency/claims.ts";
import type { TransactionRow } from "../transactions/public.ts";
import type { GiftCardRedemption, GiftCardRow } from "./schemas.ts";

/** Lists the gift cards of an account's orders, or those of orders that an API key placed, newest first. */
export function listGiftCards(
  db: Database,
  caller: UserCaller | ApiKeyCaller,
  { order_id, ...query }: PageQuery & { order_id?: number | undefined },
): Promise<PageOf<GiftCardRow>> {
  const isMine = sql`${giftCards.orderId} IN (SELECT ${orders.id} FROM ${orders} WHERE ${isOwn(caller, orders)})`;
  const where = and(isMine, order_id === undefined ? undefined : eq(giftCards.orderId, order_id));
  const rows = db.select().from(giftCards).where(where).orderBy(desc(giftCards.id));
  return readPage(db, query, rows, giftCards, where);
}

type GiftCardTransaction = TransactionRow & { giftCardBalance: number };

const transactionAsJson = jsonRow<GiftCardTransaction>(getTableColumns(transactions), {
  giftCardBalance: sql`(SELECT ${giftCards.balance} FROM ${giftCards} WHERE gift_cards.id = transactions.gift_card_id)`,
});

/** Moves an amount from a gift card to the caller's wallet. The database refuses more than the card holds. */
export async function redeemGiftCard(
  ctx: Pick<WriteContext<UserCaller>, "db" | "settings" | "caller" | "author">,
  { code, amount }: GiftCardRedemption,
): Promise<GiftCardTransaction> {
  const { db, author } = ctx;
  const nonce = readLicenseKey(await rememberedLicenseSecret(ctx), code);
  const isIt = eq(giftCards.nonce, nonce ?? "");
  const findCard = () => db.select().from(giftCards).where(isIt).get();
  const card = nonce === null ? undefined : await findCard();
  if (!card || card.test) throw badRequest(fieldError("code", "unknown_gift_card", "is not a gift card of this shop"));
  const moved = sql`coalesce(${amount ?? null}, ${giftCards.balance})`;
  const row = {
    userId: users.id,
    giftCardId: giftCards.id,
    kind: "credit",
    method: "wallet",
    amount: moved,
    balanceAfter: sql`${users.walletBalance} + ${moved}`,
    createdAt: author.now,
  } as const;
  const isOwner = eq(users.id, ctx.caller.id);
  const writes = [insertSelected(transactions, row, sql`FROM ${giftCards}, ${users} WHERE ${and(isIt, isOwner)}`)];
  const answer = sql`(SELECT ${transactionAsJson} FROM ${transactions}
    WHERE ${transactions.giftCardId} = ${card.id} ORDER BY ${transactions.id} DESC LIMIT 1)`;
  return requireRow(
    await translateViolations(writeOnce<GiftCardTransaction>(ctx, { writes, answer }), {
      gift_card_ended: () =>
        badRequest(fieldError("code", "gift_card_ended", "belongs to a gift card that was used up or disabled")),
      gift_card_covers_redemption: async () => {
        const { balance } = requireRow(await findCard());
        const words = `exceeds the balance of the gift card, ${formatAmount(balance)}`;
        return badRequest(fieldError("amount", "insufficient_funds", words, { balance: toDecimal(balance) }));
      },
    }),
  );
}
