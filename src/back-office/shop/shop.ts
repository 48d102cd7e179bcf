import { desc, getTableColumns, type SQL, sql } from "drizzle-orm";
import { badRequest, fieldError } from "../../domain/errors.ts";
import { shopCurrency } from "../../domain/money.ts";
import { placeAfter } from "../../domain/place.ts";
import { MINUTE_MS, offsetAt } from "../../domain/time.ts";
import { auditedState, newRow, toColumns } from "../../platform/administration/fields.ts";
import { requireFreshForChange } from "../../platform/administration/sensitive-changes.ts";
import {
  type AuditedTable,
  applyChange,
  applyCreation,
  type Creation,
} from "../../platform/administration/write-queries.ts";
import type { WriteContext } from "../../platform/auth/caller.ts";
import { type Database, requireFirst } from "../../platform/db/client.ts";
import { existsAny, isLasting, storedAmounts } from "../../platform/db/currency.ts";
import { jsonRow } from "../../platform/db/json.ts";
import { orders, shop } from "../../platform/db/schema.ts";
import { isSame, merge } from "../../platform/db/statements.ts";
import { editedMeanwhile, type IfMatch, requireVersion } from "../../platform/http/version.ts";
import type { EmailSettings } from "../../platform/settings/email.ts";
import { type ShopRow, type ShopState, type ShopUpdate, shopFields } from "./fields.ts";

const ID = 1;

type Names = Pick<EmailSettings, "shopName">;

/** The shop's settings until an administrator changes them. */
const initialShop = ({ shopName }: Names): ShopRow => ({
  ...newRow(shopFields, {}, { name: shopName, currency: shopCurrency() }),
  id: ID,
  createdAt: 0,
  updatedAt: 0,
  utcOffset: 0,
});

export async function readShop(db: Database, settings: Names): Promise<ShopRow> {
  const row = await db.select().from(shop).get();
  return row ? withCurrency(row) : initialShop(settings);
}

const withCurrency = (row: typeof shop.$inferSelect): ShopRow => ({ ...row, currency: row.currency ?? shopCurrency() });

/**
 * A currency to store. The one in use is stored only while there are no amounts, because the database cannot tell it from
 * another.
 */
export const storedCurrency = (currency: string): SQL =>
  currency === shopCurrency()
    ? sql`iif(${sql.raw(existsAny(storedAmounts))}, (SELECT currency FROM shop), ${currency})`
    : sql`${currency}`;

/** Names of the records that have amounts, which keep the currency from changing. */
export async function readAmountsInUse(db: Database): Promise<string[]> {
  const found = Object.entries(storedAmounts).map(([name, rows]) => sql.raw(`EXISTS (${rows}) AS "${name}"`));
  const row = requireFirst(await db.all<Record<string, number>>(sql`SELECT ${sql.join(found, sql`, `)}`));
  return Object.keys(row).filter((name) => row[name] === 1);
}

/** Why the currency cannot change, as a predicate. */
export function whyCurrencyStays(inUse: readonly string[]): string {
  const lasting = inUse.filter(isLasting);
  const named = new Intl.ListFormat("en").format(lasting.length > 0 ? lasting : inUse);
  const remedy = lasting.length > 0 ? "" : ". Delete them first";
  return `cannot change, because there are ${named} with amounts in ${shopCurrency()}${remedy}`;
}

/** The refusal of another currency, by the rule that the database holds. */
export const currencyRefusals = (db: Database) => ({
  currency_in_use: async () =>
    badRequest(fieldError("currency", "read_only", whyCurrencyStays(await readAmountsInUse(db)))),
});

const auditedShop = (db: Database): AuditedTable<ShopRow, ShopState> => ({
  table: shop,
  name: "shop",
  subject: "shop",
  json: jsonRow<ShopRow>(getTableColumns(shop)),
  audited: (state) => auditedState(shopFields, state),
  refusals: { "shop.id": editedMeanwhile.row_changed, ...currencyRefusals(db) },
});

const newShop = (state: ShopState): Creation<ShopState> => ({
  row: { id: ID, ...state, currency: storedCurrency(state.currency) },
  where: sql`id = ${ID}`,
  state,
});

/** Updates the shop's settings. The first change inserts its row. */
export async function changeShop(
  ctx: Pick<WriteContext, "db" | "settings" | "author">,
  { change, ifMatch }: { change: ShopUpdate; ifMatch: IfMatch },
): Promise<ShopRow> {
  const before = await readShop(ctx.db, ctx.settings.email);
  requireSender(merge(before, { address: change.address, invoiceMoment: change.invoice_moment }));
  const home = homeAfter(before, change);
  const zone = change.time_zone ?? before.timeZone;
  const derived = { ...home, utcOffset: offsetAt(zone, ctx.author.now) / MINUTE_MS };
  if (change.order_number_start !== undefined && change.order_number_start !== before.orderNumberStart) {
    await requireFreeNumber(ctx.db, change.order_number_start);
  }
  if (before.updatedAt > 0) {
    const columns = { ...toColumns(shopFields, change), ...derived };
    const stored = change.currency === undefined ? {} : { currency: storedCurrency(change.currency) };
    const decide = () => ({ columns, stored });
    const changed = await applyChange(ctx, { target: auditedShop(ctx.db), action: "update", before, ifMatch, decide });
    return withCurrency(changed);
  }
  requireVersion(ifMatch, before.updatedAt);
  const row = { ...newRow(shopFields, change, before), ...derived };
  if (isSame(before, merge(before, row))) return before;
  requireFreshForChange(ctx.author, {
    subject: "shop",
    before: auditedState(shopFields, before),
    after: auditedState(shopFields, row),
  });
  return withCurrency(await applyCreation(ctx, { target: auditedShop(ctx.db), ...newShop(row) }));
}

/** Invoices must name their sender. */
function requireSender({ address, invoiceMoment }: Pick<ShopRow, "address" | "invoiceMoment">): void {
  if (invoiceMoment === "manual" || address !== null) return;
  throw badRequest(fieldError("address", "required", "is required on invoices. Enter it, or issue invoices by hand"));
}

/** Follows a change of the clocks in the shop's time zone. */
export async function followClocks(db: Database, now: number): Promise<void> {
  const row = await db.select({ zone: shop.timeZone, offset: shop.utcOffset }).from(shop).get();
  const utcOffset = row ? offsetAt(row.zone, now) / MINUTE_MS : 0;
  if (row && row.offset !== utcOffset) await db.update(shop).set({ utcOffset });
}

/** An order placed meanwhile does no harm, because the next number is always above the last. */
async function requireFreeNumber(db: Database, start: number): Promise<void> {
  const last = await readLastOrder(db);
  if (!last || start > last.sequence) return;
  const limit = last.sequence + 1;
  throw badRequest(
    fieldError(
      "order_number_start",
      "too_small",
      `must be at least ${limit}, because ${last.number} is already in use`,
      {
        limit,
      },
    ),
  );
}

/** The order with the highest number. */
export const readLastOrder = (db: Database) =>
  db
    .select({ number: orders.number, sequence: orders.sequence })
    .from(orders)
    .orderBy(desc(orders.sequence))
    .limit(1)
    .get();

function homeAfter({ homeCountry, homeRegion }: ShopRow, sent: ShopUpdate) {
  const before = { country: homeCountry, region: homeRegion };
  const { country, region } = placeAfter(
    before,
    { country: sent.home_country, region: sent.home_region },
    "home_region",
  );
  return { homeCountry: country, homeRegion: region };
}
