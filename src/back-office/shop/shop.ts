import { desc, getTableColumns, sql } from "drizzle-orm";
import { badRequest, fieldError } from "../../domain/errors.ts";
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
import type { Database } from "../../platform/db/client.ts";
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
  ...newRow(shopFields, {}, { name: shopName }),
  id: ID,
  createdAt: 0,
  updatedAt: 0,
  utcOffset: 0,
});

export const readShop = async (db: Database, settings: Names): Promise<ShopRow> =>
  (await db.select().from(shop).get()) ?? initialShop(settings);

const auditedShop: AuditedTable<ShopRow, ShopState> = {
  table: shop,
  name: "shop",
  subject: "shop",
  json: jsonRow<ShopRow>(getTableColumns(shop)),
  audited: (state) => auditedState(shopFields, state),
  refusals: { "shop.id": editedMeanwhile.row_changed },
};

const newShop = (state: ShopState): Creation<ShopState> => ({
  row: { id: ID, ...state },
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
    return applyChange(ctx, { target: auditedShop, action: "update", before, ifMatch, decide: () => ({ columns }) });
  }
  requireVersion(ifMatch, before.updatedAt);
  const row = { ...newRow(shopFields, change, before), ...derived };
  if (isSame(before, merge(before, row))) return before;
  requireFreshForChange(ctx.author, {
    subject: "shop",
    before: auditedState(shopFields, before),
    after: auditedState(shopFields, row),
  });
  return applyCreation(ctx, { target: auditedShop, ...newShop(row) });
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
