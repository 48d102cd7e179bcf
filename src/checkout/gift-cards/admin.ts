import { and, desc, eq, getTableColumns, sql } from "drizzle-orm";
import { notFound } from "../../domain/errors.ts";
import { isoOrNull } from "../../domain/fields.ts";
import { toDecimal } from "../../domain/money.ts";
import { type AuditedTable, applyChange, applyCreation } from "../../platform/administration/write-queries.ts";
import { countSpending, spendingRefused } from "../../platform/auth/author-limits.ts";
import type { AuthorContext } from "../../platform/auth/caller.ts";
import { nonceIn } from "../../platform/auth/license-keys.ts";
import type { Database } from "../../platform/db/client.ts";
import { jsonRow } from "../../platform/db/json.ts";
import { allOf, type Conditions, type PageOf, readPage } from "../../platform/db/page.ts";
import { giftCards } from "../../platform/db/schema.ts";
import type { IfMatch } from "../../platform/http/version.ts";
import type { AllGiftCardsQuery, GiftCardCreate, GiftCardRow, giftCardStatuses } from "./schemas.ts";

const hasStatus = (status: (typeof giftCardStatuses)[number]) =>
  ({
    active: sql`ended_at IS NULL AND balance > 0`,
    redeemed: sql`ended_at IS NULL AND balance = 0`,
    ended: sql`ended_at IS NOT NULL`,
  })[status];

/** Lists all gift cards, newest first. */
export function listAllGiftCards(db: Database, query: AllGiftCardsQuery): Promise<PageOf<GiftCardRow>> {
  const { code_start, order_id, status } = query;
  const where = and(
    allOf({
      code_start: code_start === undefined ? undefined : eq(giftCards.nonce, nonceIn(code_start)),
      order_id: order_id === undefined ? undefined : eq(giftCards.orderId, order_id),
      status: status && hasStatus(status),
    } satisfies Conditions<AllGiftCardsQuery>),
  );
  return readPage(db, query, db.select().from(giftCards).where(where).orderBy(desc(giftCards.id)), giftCards, where);
}

type AuditedGiftCard = Pick<GiftCardRow, "value" | "note" | "endedAt">;

const auditedGiftCards: AuditedTable<GiftCardRow, AuditedGiftCard> = {
  table: giftCards,
  name: "gift_cards",
  subject: "gift_card",
  json: jsonRow<GiftCardRow>(getTableColumns(giftCards)),
  audited: ({ value, note, endedAt }) => ({ value: toDecimal(value), reason: note, ended_at: isoOrNull(endedAt) }),
};

/** Gives a gift card away. Its value counts against the limits of staff, as a credit of a wallet does. */
export function issueGiftCard(ctx: AuthorContext, { value, reason }: GiftCardCreate): Promise<GiftCardRow> {
  const state: AuditedGiftCard = { value, note: reason, endedAt: null };
  const spending = { author: ctx.author, amount: value };
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(6)))
    .toString("hex")
    .toUpperCase();
  return applyCreation(ctx, {
    target: { ...auditedGiftCards, refusals: spendingRefused({ db: ctx.db, ...spending }) },
    row: { nonce, value, balance: value, note: reason },
    where: eq(giftCards.nonce, nonce),
    state,
    ahead: countSpending(spending),
  });
}

export async function requireGiftCard(db: Database, id: number): Promise<GiftCardRow> {
  const row = await db.select().from(giftCards).where(eq(giftCards.id, id)).get();
  if (!row) throw notFound(`Gift card ${id}`);
  return row;
}

/** Disables a gift card permanently. Has no effect on one that has ended. */
export async function disableGiftCard(
  ctx: AuthorContext,
  { id, ifMatch }: { id: number; ifMatch: IfMatch },
): Promise<void> {
  const before = await requireGiftCard(ctx.db, id);
  const decide = () => ({ columns: { endedAt: before.endedAt ?? ctx.author.now } });
  await applyChange(ctx, { target: auditedGiftCards, action: "disable", before, ifMatch, decide });
}
