import { and, desc, eq, getTableColumns, inArray, isNull, lt, type SQL, sql } from "drizzle-orm";
import { badRequest, conflict, fieldError, requireFound } from "../../../domain/errors.ts";
import { formatAmount, toDecimal } from "../../../domain/money.ts";
import { isManualMethod } from "../../../domain/payment-methods.ts";
import { DAY_MS } from "../../../domain/time.ts";
import { type AuditedTable, applyCreation, applyDeletion } from "../../../platform/administration/write-queries.ts";
import { auditEntry, type Entry } from "../../../platform/audit/audit.ts";
import { countSpending, spendingRefused } from "../../../platform/auth/author-limits.ts";
import {
  type AccountScope,
  type ApiKeyCaller,
  accountScopeOf,
  inScope,
  type UserCaller,
  type WriteContext,
} from "../../../platform/auth/caller.ts";
import { draftLinkToken } from "../../../platform/auth/order-link.ts";
import { type Database, requireRow } from "../../../platform/db/client.ts";
import { jsonRow } from "../../../platform/db/json.ts";
import { allOf, type Conditions, readPage } from "../../../platform/db/page.ts";
import { draftOrders } from "../../../platform/db/schema.ts";
import { isSame, nextVersion, translateViolations, unchanged } from "../../../platform/db/statements.ts";
import { queueEmail } from "../../../platform/email/emails.ts";
import { editedMeanwhile, type IfMatch, requireVersion } from "../../../platform/http/version.ts";
import { writeOnce } from "../../../platform/idempotency/claims.ts";
import { workOffInBulk } from "../../../platform/queues/work-off.ts";
import { draftByHand, placeByHand, readByHand } from "../by-hand/create-by-hand.ts";
import {
  contentOf,
  type DraftContent,
  type DraftPlacement,
  type DraftRow,
  type DraftsQuery,
  savedNames,
  storedContent,
} from "../by-hand/schemas.ts";
import { atCurrentPrices, readFacts, readOrderState } from "../create/order-state.ts";
import { priceCheckout } from "../create/price-order.ts";
import { type Quote, quoteOf } from "../create/quote.ts";
import { valueGivenAway } from "../create/value-given-away.ts";
import { newOrderReference } from "../reference.ts";
import type { OrderRow } from "../schemas.ts";

// Orders that staff prepare. A draft holds no stock, and its prices are read whenever it is shown or placed.

type Staff = Pick<WriteContext<UserCaller | ApiKeyCaller>, "env" | "db" | "caller" | "author" | "settings">;

type ReadDraft = Awaited<ReturnType<typeof readByHand>>;

/** A draft within the caller's scope, at the version named by the request. */
type WhichDraft = { id: number; ifMatch: IfMatch };

/** The link of a draft works for 30 days after it was sent. */
export const DRAFT_LINK_MS = 30 * DAY_MS;

/**
 * Days without a change after which a guest's draft is deleted, because nothing else would erase the guest's name and
 * address.
 */
const GUEST_DRAFT_DAYS = 90;

/** Deletes drafts for guests that never became an order. */
export const deleteOldGuestDrafts = (db: Database, now: number) =>
  workOffInBulk(db, now, {
    queue: "delete_guest_drafts",
    id: draftOrders.id,
    where: and(
      inArray(draftOrders.status, ["open", "sent"]),
      isNull(draftOrders.userId),
      lt(draftOrders.updatedAt, now - GUEST_DRAFT_DAYS * DAY_MS),
    ),
  });

/** Returns a page of drafts, newest first. */
export function listDrafts(db: Database, query: DraftsQuery, scope: AccountScope) {
  const narrowed = { status: query.status && eq(draftOrders.status, query.status) } satisfies Conditions<DraftsQuery>;
  const where = and(allOf(narrowed), inScope(scope, draftOrders.userId));
  const rows = db.select().from(draftOrders).where(where).orderBy(desc(draftOrders.id));
  return readPage(db, query, rows, draftOrders, where);
}

export function requireDraft(db: Database, id: number, scope: AccountScope): Promise<DraftRow> {
  const where = and(eq(draftOrders.id, id), inScope(scope, draftOrders.userId));
  return requireFound(db.select().from(draftOrders).where(where).get(), `Draft ${id}`);
}

/** Quotes a draft at current prices. Null once it is placed. */
export async function quoteDraft(
  ctx: Pick<WriteContext, "env" | "db" | "author" | "settings">,
  row: DraftRow,
): Promise<Quote | null> {
  if (row.status === "placed") return null;
  const draft = draftByHand(ctx, contentOf(row));
  const quote = quoteOf({ settings: ctx.settings, state: await readOrderState(ctx, draft) }, draft, undefined);
  const names = savedNames(row);
  const items = quote.items.map((item) => ({ ...item, name: item.name ?? names.get(item.product_id)?.name ?? null }));
  return { ...quote, items };
}

/** Content of a draft for the audit log, without names and addresses. */
const auditedContent = ({ user_id, items, payment_method }: DraftContent): Record<string, unknown> => ({
  user_id: user_id ?? null,
  payment_method,
  items: items.map(({ product_id, quantity, unit_price }) => ({
    product_id,
    quantity,
    ...(unit_price !== undefined && { price: toDecimal(unit_price) }),
  })),
});

const auditedDrafts: AuditedTable<DraftRow, Pick<DraftRow, "content">> = {
  table: draftOrders,
  name: "draft_orders",
  subject: "draft_order",
  json: jsonRow<DraftRow>(getTableColumns(draftOrders)),
  audited: (draft) => auditedContent(contentOf(draft)),
};

/** Saves an order as a draft. Its items, buyer and prices may be incomplete until it is sent or placed. */
export async function insertDraft(ctx: Staff, content: DraftContent): Promise<DraftRow> {
  const { state } = await readByHand(ctx, content);
  const reference = newOrderReference();
  const stored = storedContent(content, state.products);
  const row = { reference, status: "open" as const, userId: content.user_id ?? null, content: stored };
  return applyCreation(ctx, {
    target: auditedDrafts,
    row,
    where: eq(draftOrders.reference, reference),
    state: { content: stored },
  });
}

type Change = { set: Partial<DraftRow>; spent?: number; also?: SQL[]; entry: Pick<Entry, "action" | "after"> };

/** Changes a draft that is not placed yet, with its audit entry. */
async function writeDraft(
  { db, author }: Staff,
  row: DraftRow,
  { set, spent = 0, also = [], entry }: Change,
): Promise<DraftRow> {
  const spending = { author, amount: spent };
  const writes = [
    unchanged("draft_orders", row),
    ...countSpending(spending),
    db
      .update(draftOrders)
      .set({ ...set, updatedAt: nextVersion(row, author.now) })
      .where(eq(draftOrders.id, row.id))
      .getSQL(),
    ...also,
    auditEntry({ author }, { ...entry, subject: "draft_order", id: row.id }),
  ];
  const answer = sql`(SELECT ${auditedDrafts.json} FROM ${draftOrders} WHERE ${eq(draftOrders.id, row.id)})`;
  const written = writeOnce<DraftRow>({ db, author }, { writes, answer });
  return requireRow(
    await translateViolations(written, { ...editedMeanwhile, ...spendingRefused({ db, ...spending }) }),
  );
}

async function requireUnplaced({ db, caller }: Staff, { id, ifMatch }: WhichDraft): Promise<DraftRow> {
  const row = await requireDraft(db, id, accountScopeOf(caller));
  requireVersion(ifMatch, row.updatedAt);
  if (row.status === "placed")
    throw conflict("draft_placed", "The draft is an order already. Change the order instead");
  return row;
}

/** Value that a draft gives away, to be stored, and the part of it that was not counted yet. */
function countGivenAway(
  { author }: Staff,
  counted: number,
  { draft, state, unpaidBy }: ReadDraft & { unpaidBy: DraftContent["payment_method"] },
) {
  const { actor, spendingLimit: limit = null, now } = author;
  const lines = atCurrentPrices(draft.lines, state);
  const amount = valueGivenAway({ ...draft, lines }, readFacts(draft, state), { now, unpaidBy });
  return { givenAway: { amount, actor, limit }, spent: Math.max(0, amount - counted) };
}

const countedOf = ({ givenAway }: DraftRow): number => givenAway?.amount ?? 0;

/** The part that was counted for a person. A changed draft is their own gift, even if somebody else gave as much before. */
const countedFor = ({ actor }: Staff["author"], { givenAway }: DraftRow): number =>
  givenAway?.actor === actor ? givenAway.amount : 0;

/** Replaces the content of a draft. A sent draft shows the new content under the same link. */
export async function changeDraft(ctx: Staff, which: WhichDraft, content: DraftContent): Promise<DraftRow> {
  const row = await requireUnplaced(ctx, which);
  const read = await readByHand(ctx, content);
  const stored = storedContent(content, new Map([...savedNames(row), ...read.state.products]));
  if (isSame(stored, row.content)) return row;
  const { givenAway = null, spent = 0 } =
    row.status === "sent"
      ? countGivenAway(ctx, countedFor(ctx.author, row), { ...read, unpaidBy: content.payment_method })
      : {};
  return writeDraft(ctx, row, {
    set: { userId: content.user_id ?? null, content: stored, givenAway },
    spent,
    entry: { action: "update", after: auditedContent(content) },
  });
}

/** Deletes a draft. Its link then shows nothing. */
export async function deleteDraft(ctx: Staff, which: WhichDraft): Promise<void> {
  const before = await requireUnplaced(ctx, which);
  await applyDeletion(ctx, { target: auditedDrafts, before, ifMatch: which.ifMatch });
}

/** E-mails the buyer a link to confirm the draft. The value given away counts as spent. */
export async function sendDraft(ctx: Staff, which: WhichDraft): Promise<DraftRow> {
  const row = await requireUnplaced(ctx, which);
  const content = contentOf(row);
  const read = await readByHand(ctx, content);
  const { draft, state } = read;
  const { givenAway, spent } = countGivenAway(ctx, countedOf(row), { ...read, unpaidBy: content.payment_method });
  const lines = atCurrentPrices(draft.lines, state);
  const { pricing } = priceCheckout({ ...draft, lines }, readFacts(draft, state));
  const { settings, author } = ctx;
  const missing = draft.lines.findIndex(({ productId }) => state.products.get(productId)?.status !== "active");
  if (missing >= 0) throw badRequest(fieldError(`items.${missing}.product_id`, "not_for_sale", "is not for sale"));
  const email = queueEmail(ctx, {
    template: "draft_order",
    params: {
      total: pricing.total,
      currency: draft.currency,
      items: lines.map(({ productId, quantity }) => ({ name: state.products.get(productId)?.name ?? "", quantity })),
    },
    userId: content.user_id ?? sql`NULL`,
    ...(content.customer && { to: content.customer.email }),
    link: { token: draftLinkToken(settings.linkSecrets, row.reference), expiresAt: author.now + DRAFT_LINK_MS },
  });
  return writeDraft(ctx, row, {
    set: { status: "sent", sentAt: author.now, givenAway },
    spent,
    also: [email],
    entry: { action: "send", after: { total: formatAmount(pricing.total) } },
  });
}

/** Statements that turn a draft into the order of its reference. The batch is refused if the draft has changed. */
export const becomesOrder = ({ db }: Pick<WriteContext, "db">, row: DraftRow, now: number): SQL[] => [
  unchanged("draft_orders", row),
  db
    .update(draftOrders)
    .set({
      status: "placed",
      orderId: sql`(SELECT id FROM orders WHERE reference = ${row.reference})`,
      updatedAt: nextVersion(row, now),
    })
    .where(eq(draftOrders.id, row.id))
    .getSQL(),
];

/** Places the order of a draft that is already paid or is paid outside the platform. */
export async function placeDraft(ctx: Staff, which: WhichDraft, terms: DraftPlacement): Promise<OrderRow> {
  const row = await requireUnplaced(ctx, which);
  const order = { ...contentOf(row), ...terms };
  requirePayable(order);
  const alongside = becomesOrder(ctx, row, ctx.author.now);
  return placeByHand(ctx, order, { reference: row.reference, alreadyCounted: countedOf(row), alongside });
}

/** Refuses an unpaid order with a payment method that only the buyer can use. */
function requirePayable(order: DraftContent & DraftPlacement): void {
  if (order.paid || isManualMethod(order.payment_method)) return;
  const words = `${order.payment_method} is paid by the buyer. Send the draft, or place it as paid`;
  throw badRequest(fieldError("payment_method", "not_applicable", words));
}
