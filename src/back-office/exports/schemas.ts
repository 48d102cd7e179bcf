import * as z from "zod";
import { userFilters } from "../../accounts/users/public.ts";
import { allProductFilters, pricesInOrder } from "../../catalogue/products/public.ts";
import { orderFilters } from "../../checkout/orders/public.ts";
import { transactionFilters } from "../../checkout/transactions/public.ts";
import { coded } from "../../domain/fields.ts";
import { oneSpan } from "../../domain/span.ts";
import { fileFilters } from "../../downloads/files/public.ts";
import { auditFilters } from "../../platform/audit/schemas.ts";
import { afterIdField } from "../../platform/http/pagination.ts";
import { exportFormats } from "./stream.ts";

// Filters of a list without pagination: an export is the whole list, or what follows an id.

export const FormatParam = z.object({ format: z.enum(exportFormats) });

const place = {
  after_id: afterIdField.after_id.describe("Resumes an interrupted export after this id, the last one received"),
};
export type ExportCursor = { after_id?: number | undefined };

export const ProductsExport = z.strictObject({ ...allProductFilters, ...place }).refine(...pricesInOrder);

export const OrdersExport = z
  .strictObject({ ...orderFilters, ...place })
  .refine(...oneSpan)
  .refine(({ search, after_id }) => search === undefined || after_id === undefined, {
    path: ["after_id"],
    error: "cannot be combined with search",
    ...coded("not_applicable"),
  });

export const UsersExport = z.strictObject({ ...userFilters, ...place }).refine(...oneSpan);
export const TransactionsExport = z.strictObject({ ...transactionFilters, ...place }).refine(...oneSpan);
export const FilesExport = z.strictObject({ ...fileFilters, ...place });
export const AuditExport = z.strictObject({ ...auditFilters, ...place }).refine(...oneSpan);
