import { asc, eq, getTableColumns, or, type SQL, sql } from "drizzle-orm";
import { selectOrders } from "../../checkout/orders/public.ts";
import { selectLicenseKeys } from "../../downloads/license-keys/public.ts";
import { selectPackages } from "../../downloads/packages/public.ts";
import { auditEntry } from "../../platform/audit/audit.ts";
import { type AuthorContext, requireFresh } from "../../platform/auth/caller.ts";
import { type Database, statement } from "../../platform/db/client.ts";
import { json } from "../../platform/db/json.ts";
import {
  addresses,
  auditLog,
  cartItems,
  carts,
  draftOrders,
  emails,
  giftCards,
  licenseKeys,
  orders,
  packages,
  products,
  sessions,
  totpSecrets,
  transactions,
  userNotes,
  users,
} from "../../platform/db/schema.ts";

/** Returns everything stored about a customer for a member of staff, and logs that. */
export function exportCustomer(ctx: AuthorContext, id: number) {
  requireFresh(ctx.author);
  return readPersonalData(ctx.db, id, [auditEntry(ctx, { action: "export", subject: "user", id })]);
}

/** Returns everything stored about an account, oldest first, in one round trip with `writes`. */
export async function readPersonalData(db: Database, id: number, writes: SQL[] = []) {
  const [
    [user],
    [factor],
    ownSessions,
    ownOrders,
    ownTransactions,
    ownPackages,
    ownLicenseKeys,
    ownGiftCards,
    cart,
    ownAddresses,
    ownEmails,
    ownDrafts,
    notes,
    audit,
  ] = await db.batch([
    db.select().from(users).where(eq(users.id, id)),
    db.select({ enabledAt: totpSecrets.confirmedAt }).from(totpSecrets).where(eq(totpSecrets.userId, id)),
    db.select().from(sessions).where(eq(sessions.userId, id)).orderBy(asc(sessions.createdAt), asc(sessions.id)),
    selectOrders(db).where(eq(orders.userId, id)).orderBy(asc(orders.id)),
    db.select().from(transactions).where(eq(transactions.userId, id)).orderBy(asc(transactions.id)),
    selectPackages(db).where(eq(packages.userId, id)).orderBy(asc(packages.id)),
    selectLicenseKeys(db).where(eq(licenseKeys.userId, id)).orderBy(asc(licenseKeys.id)),
    db
      .select(getTableColumns(giftCards))
      .from(giftCards)
      .innerJoin(orders, eq(orders.id, giftCards.orderId))
      .where(eq(orders.userId, id))
      .orderBy(asc(giftCards.id)),
    db
      .select({ productId: cartItems.productId, name: products.name, quantity: cartItems.quantity })
      .from(carts)
      .innerJoin(cartItems, eq(cartItems.cartId, carts.id))
      .innerJoin(products, eq(products.id, cartItems.productId))
      .where(eq(carts.userId, id))
      .orderBy(asc(cartItems.id)),
    db.select().from(addresses).where(eq(addresses.userId, id)).orderBy(asc(addresses.id)),
    db.select(emailColumns).from(emails).where(eq(emails.userId, id)).orderBy(asc(emails.id)),
    db.select().from(draftOrders).where(eq(draftOrders.userId, id)).orderBy(asc(draftOrders.id)),
    db.select().from(userNotes).where(eq(userNotes.userId, id)).orderBy(asc(userNotes.id)),
    db.select(auditColumns(id)).from(auditLog).where(concerns(id)).orderBy(asc(auditLog.id)),
    ...writes.map((write) => statement(db, write)),
  ]);
  return (
    user && {
      user,
      twoFactorSince: factor?.enabledAt ?? null,
      sessions: ownSessions,
      orders: ownOrders,
      transactions: ownTransactions,
      packages: ownPackages,
      licenseKeys: ownLicenseKeys,
      giftCards: ownGiftCards,
      cart,
      addresses: ownAddresses,
      emails: ownEmails,
      draftOrders: ownDrafts,
      notes,
      audit,
    }
  );
}
export type PersonalData = NonNullable<Awaited<ReturnType<typeof readPersonalData>>>;

/** Omits the columns with link data. */
const { recipient, template, state, createdAt, sentAt } = getTableColumns(emails);
const emailColumns = { recipient, template, state, createdAt, sentAt };

const isTheirs = (id: number): SQL => sql`${auditLog.actor} = ${`user:${id}`}`;

const isAbout = (id: number): SQL => sql`${auditLog.subject} = 'user' AND ${auditLog.subjectId} = ${id}`;

/** Entries about the account, and entries its owner wrote. */
const concerns = (id: number) => or(isAbout(id), isTheirs(id));

type State = typeof auditLog.$inferSelect.before;

const stateOf = (id: number, state: typeof auditLog.before | typeof auditLog.after, name: string) =>
  json<State>(sql`iif(${isAbout(id)}, ${state}, NULL)`).as(name);

/** Hides who else wrote an entry and from where, and what the owner wrote about others while they were staff. */
const auditColumns = (id: number) => ({
  at: auditLog.at,
  action: auditLog.action,
  subject: auditLog.subject,
  subjectId: auditLog.subjectId,
  before: stateOf(id, auditLog.before, "own_before"),
  after: stateOf(id, auditLog.after, "own_after"),
  byThemselves: sql<number>`${isTheirs(id)}`.as("by_themselves"),
  address: sql<string | null>`iif(${isTheirs(id)}, ${auditLog.address}, NULL)`.as("own_address"),
});
