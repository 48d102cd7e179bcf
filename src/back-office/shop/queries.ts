import { getTableColumns, sql } from "drizzle-orm";
import { auditedState, newRow } from "../../platform/administration/fields.ts";
import type { AuditedTable, Creation } from "../../platform/administration/write-queries.ts";
import type { Database } from "../../platform/db/client.ts";
import { jsonRow } from "../../platform/db/json.ts";
import { shop } from "../../platform/db/schema.ts";
import { editedMeanwhile } from "../../platform/http/version.ts";
import type { EmailSettings } from "../../platform/settings/email.ts";
import { type ShopRow, type ShopState, shopFields } from "./fields.ts";

const ID = 1;

type Names = Pick<EmailSettings, "shopName">;

/** What the shop is until somebody says more. */
const initialShop = ({ shopName }: Names): ShopRow => ({
  ...newRow(shopFields, {}, { name: shopName }),
  id: ID,
  createdAt: 0,
  updatedAt: 0,
});

export const readShop = async (db: Database, settings: Names): Promise<ShopRow> =>
  (await db.select().from(shop).get()) ?? initialShop(settings);

export const auditedShop: AuditedTable<ShopRow, ShopState> = {
  table: shop,
  name: "shop",
  subject: "shop",
  json: jsonRow<ShopRow>(getTableColumns(shop)),
  audited: (state) => auditedState(shopFields, state),
  refusals: { "shop.id": editedMeanwhile.row_changed },
};

export const newShop = (state: ShopState): Creation<ShopState> => ({
  row: { id: ID, ...state },
  where: sql`id = ${ID}`,
  state,
});
