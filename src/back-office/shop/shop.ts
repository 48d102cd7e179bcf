import { getTableColumns, sql } from "drizzle-orm";
import { placeAfter } from "../../domain/place.ts";
import { auditedState, newRow, toColumns } from "../../platform/administration/fields.ts";
import {
  type AuditedTable,
  applyChange,
  applyCreation,
  type Creation,
  type WriteRequest,
} from "../../platform/administration/write-queries.ts";
import type { Database } from "../../platform/db/client.ts";
import { jsonRow } from "../../platform/db/json.ts";
import { isSame, merge } from "../../platform/db/precondition.ts";
import { shop } from "../../platform/db/schema.ts";
import { editedMeanwhile, requireVersion } from "../../platform/http/version.ts";
import type { EmailSettings } from "../../platform/settings/email.ts";
import { type ShopChange, type ShopRow, type ShopState, shopFields } from "./fields.ts";

const ID = 1;

type Names = Pick<EmailSettings, "shopName">;

/** The shop's settings until an administrator changes them. */
const initialShop = ({ shopName }: Names): ShopRow => ({
  ...newRow(shopFields, {}, { name: shopName }),
  id: ID,
  createdAt: 0,
  updatedAt: 0,
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
export async function changeShop(request: WriteRequest, sent: ShopChange, settings: EmailSettings): Promise<ShopRow> {
  const before = await readShop(request.db, settings);
  const home = homeAfter(before, sent);
  if (before.updatedAt > 0) {
    const columns = { ...toColumns(shopFields, sent), ...home };
    return applyChange(request, auditedShop, "update", before, () => ({ columns }));
  }
  requireVersion(request.ifMatch, before.updatedAt);
  const row = { ...newRow(shopFields, sent, before), ...home };
  if (isSame(before, merge(before, row))) return before;
  return applyCreation(request, auditedShop, newShop(row));
}

function homeAfter({ homeCountry, homeRegion }: ShopRow, sent: ShopChange) {
  const before = { country: homeCountry, region: homeRegion };
  const { country, region } = placeAfter(
    before,
    { country: sent.home_country, region: sent.home_region },
    "home_region",
  );
  return { homeCountry: country, homeRegion: region };
}
