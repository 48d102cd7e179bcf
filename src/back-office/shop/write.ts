import { placeAfter } from "../../domain/place.ts";
import { newRow, toColumns } from "../../platform/administration/fields.ts";
import { applyChange, applyCreation, type WriteRequest } from "../../platform/administration/write-queries.ts";
import { isSame, merge } from "../../platform/db/precondition.ts";
import { requireVersion } from "../../platform/http/version.ts";
import type { EmailSettings } from "../../platform/settings/email.ts";
import type { ShopChange } from "./admin-schemas.ts";
import { type ShopRow, shopFields } from "./fields.ts";
import { auditedShop, newShop, readShop } from "./queries.ts";

/** Changes what is said of the shop; the first change makes its row. */
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
