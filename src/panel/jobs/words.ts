import type { JobKind } from "../../db/schema.ts";
import type { JobRow } from "../../jobs/schemas.ts";

export const kindWords: Record<JobKind, string> = {
  check_products: "Check of products to import",
  check_customers: "Check of customers to import",
  import_products: "Import of products",
  import_customers: "Import of customers",
  change_products: "Change of products",
  adjust_stock: "Adjustment of stock",
  change_orders: "Change of orders",
};

export const jobTitle = ({ kind, undoOf }: Pick<JobRow, "kind" | "undoOf">): string =>
  undoOf === null ? kindWords[kind] : `Undoing job ${undoOf}: ${kindWords[kind].toLowerCase()}`;
