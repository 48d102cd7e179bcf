import type * as z from "zod";
import {
  AdjustStock,
  ChangeCustomers,
  ChangeOrders,
  ChangeProducts,
} from "../../back-office/bulk-actions/parameters.ts";
import { formatPercent } from "../../domain/percent.ts";
import type { JobKind } from "../../platform/db/schema.ts";
import type { JobRow } from "../../platform/jobs/schemas.ts";

export const kindWords: Record<JobKind, string> = {
  check_products: "Product import check",
  check_customers: "Customer import check",
  import_products: "Product import",
  import_customers: "Customer import",
  change_products: "Product changes",
  change_customers: "Customer changes",
  adjust_stock: "Stock adjustments",
  change_orders: "Order changes",
  back_up: "Backup",
};

/** The name of a kind of job. */
export const jobLabel = (kind: string): string => new Map(Object.entries(kindWords)).get(kind) ?? kind;

/** The kind of a job and its action on each row. */
export function jobTitle({ kind, undoOf, parameters }: Pick<JobRow, "kind" | "undoOf" | "parameters">): string {
  if (undoOf !== null) return `Undo: ${kindWords[kind].toLowerCase()}`;
  return [kindWords[kind], ...changeWords[kind](parameters)].join(": ");
}

/** Describes parameters that match a schema. Others, such as those of an earlier release, are left out of the title. */
const describe =
  <Schema extends z.ZodType>(schema: Schema, words: (parameters: z.output<Schema>) => string) =>
  (parameters: unknown): string[] => {
    const { success, data } = schema.safeParse(parameters);
    return success ? [words(data)] : [];
  };

const nothing = () => [];

const signed = (number: number, format: (size: number) => string): string =>
  `${number < 0 ? "−" : "+"}${format(Math.abs(number))}`;

const tagWords = ({ addTags, removeTags }: Omit<ChangeCustomers, "ids">): string[] => [
  ...(addTags ? [`tagged ${addTags.join(", ")}`] : []),
  ...(removeTags ? [`without the tags ${removeTags.join(", ")}`] : []),
];

/** Effect of each kind of job on its rows. */
const changeWords: Record<JobKind, (parameters: unknown) => string[]> = {
  check_products: nothing,
  check_customers: nothing,
  import_products: nothing,
  import_customers: nothing,
  change_products: describe(ChangeProducts.omit({ ids: true }), ({ status, categoryId, addTags, removeTags, price }) =>
    [
      ...(status ? [`set ${status}`] : []),
      ...(categoryId === undefined
        ? []
        : [categoryId === null ? "taken out of their category" : "moved to a category"]),
      ...tagWords({ addTags, removeTags }),
      ...(price ? [`price ${signed(price.millionths, formatPercent)}`] : []),
    ].join(", "),
  ),
  change_customers: describe(ChangeCustomers.omit({ ids: true }), (change) => tagWords(change).join(", ")),
  adjust_stock: describe(AdjustStock.omit({ ids: true }), ({ delta, quantity, reason }) =>
    [delta === undefined ? `set to ${quantity}` : signed(delta, String), reason].join(", "),
  ),
  change_orders: describe(ChangeOrders.pick({ change: true }), ({ change }) =>
    change.status
      ? `marked as ${change.status} with ${change.shipment?.carrier}`
      : change.payment_status
        ? "marked as paid"
        : tagWords(change).join(", "),
  ),
  back_up: nothing,
};
