import { notFound } from "../../domain/errors.ts";
import { placeAfter } from "../../domain/place.ts";
import { newRow, toColumns } from "../../platform/administration/fields.ts";
import {
  applyChange,
  applyCreation,
  applyDeletion,
  type WriteRequest,
} from "../../platform/administration/write-queries.ts";
import type { Database } from "../../platform/db/client.ts";
import type { NewTaxRate, TaxRateChange } from "./admin-schemas.ts";
import { type TaxRateRow, taxRateFields } from "./fields.ts";
import { auditedTaxRates, findTaxRate, newTaxRate } from "./queries.ts";

export function createTaxRate(request: Omit<WriteRequest, "ifMatch">, sent: NewTaxRate): Promise<TaxRateRow> {
  const { region } = placeAfter(sent, sent, "region");
  return applyCreation(request, auditedTaxRates, newTaxRate(newRow(taxRateFields, { ...sent, region }, {})));
}

export async function changeTaxRate(request: WriteRequest, id: number, sent: TaxRateChange): Promise<TaxRateRow> {
  return applyChange(request, auditedTaxRates, "update", await requireTaxRate(request.db, id), (before) => {
    const { region } = placeAfter(before, { country: sent.country, region: sent.region }, "region");
    return { columns: { ...toColumns(taxRateFields, sent), region } };
  });
}

export async function removeTaxRate(request: WriteRequest, id: number): Promise<void> {
  await applyDeletion(request, auditedTaxRates, await requireTaxRate(request.db, id));
}

export async function requireTaxRate(db: Database, id: number): Promise<TaxRateRow> {
  const rate = await findTaxRate(db, id);
  if (!rate) throw notFound(`Tax rate ${id}`);
  return rate;
}
