import * as z from "zod";
import { UnitsAdjustment } from "../../catalogue/products/public.ts";
import { SENT } from "../../checkout/orders/public.ts";
import { changesSomething, coded, Id, line } from "../../domain/fields.ts";
import { PercentageChange } from "../../domain/percent.ts";
import { CustomerTags, OrderTags, Tags } from "../../domain/tags.ts";
import { productStatuses } from "../../platform/db/schema.ts";
import { ListFilters } from "../../platform/http/pagination.ts";

/** Maximum number of rows selected by ids, or of a list whose rows are all selected. */
export const MOST_IDS = 1_000;
export const MOST_ROWS = 10_000;

const selectionFields = {
  ids: z.array(Id).min(1).max(MOST_IDS).optional(),
  filters: ListFilters.optional().describe(
    `Parameters of the list, which select up to ${MOST_ROWS} rows. Replaces \`ids\``,
  ),
};
export type Selection = { ids?: number[] | undefined; filters?: Record<string, string> | undefined };

const oneSelection: [(sent: Selection) => boolean, { path: string[]; error: string }] = [
  ({ ids, filters }) => (ids === undefined) !== (filters === undefined),
  { path: ["ids"], error: "send either ids or filters" },
];

/** Change applied to each product. */
const ProductsChange = z
  .strictObject({
    status: z.enum(productStatuses),
    category_id: Id.nullable().describe("Refused for variants, which have their product's"),
    add_tags: Tags.min(1).describe("Refused for variants, which have their product's"),
    remove_tags: Tags.min(1),
    price_percent: PercentageChange.describe(
      "Percentage by which prices change, with those of variants: -10 lowers them by a tenth. Results are rounded half up",
    ),
    compare_at_price: z
      .enum(["previous", "none"])
      .describe(
        "With `price_percent`: `previous` shows the price before the change, and `none` removes the compare-at price. One that is not higher than the new price is always removed",
      ),
  })
  .partial()
  .refine(...changesSomething)
  .refine((change) => change.compare_at_price === undefined || change.price_percent !== undefined, {
    path: ["compare_at_price"],
    error: "only changes together with the price",
    ...coded("not_applicable"),
  });
export type ProductsChange = z.output<typeof ProductsChange>;

export const ProductBulkUpdate = z
  .strictObject({ ...selectionFields, change: ProductsChange.optional(), stock: UnitsAdjustment.optional() })
  .refine(...oneSelection)
  .refine(({ change, stock }) => (change === undefined) !== (stock === undefined), {
    path: ["change"],
    error: "choose what to change: the products, or their stock",
  })
  .meta({ id: "ProductBulkUpdate" });
export type ProductBulkUpdate = z.output<typeof ProductBulkUpdate>;

export const CustomerBulkUpdate = z
  .strictObject({
    ...selectionFields,
    change: z
      .strictObject({ add_tags: CustomerTags.min(1), remove_tags: CustomerTags.min(1) })
      .partial()
      .refine(...changesSomething),
  })
  .refine(...oneSelection)
  .meta({ id: "CustomerBulkUpdate" });
export type CustomerBulkUpdate = z.output<typeof CustomerBulkUpdate>;

/** A selection of orders without a change, for example to print them. */
export const OrdersSelection = z.strictObject(selectionFields).refine(...oneSelection);

export const OrderBulkUpdate = z
  .strictObject({
    ...selectionFields,
    change: z
      .strictObject({
        payment_status: z.literal("paid"),
        status: z.literal(SENT),
        shipment: z.strictObject({ carrier: line(100) }),
        note: line(500),
        add_tags: OrderTags.min(1),
        remove_tags: OrderTags.min(1),
      })
      .partial()
      .refine(
        ({ status, payment_status, add_tags, remove_tags }) =>
          [status, payment_status, add_tags ?? remove_tags].filter(Boolean).length === 1,
        { path: ["status"], error: "change one of the status, the payment and the tags" },
      )
      .refine(({ status, shipment }) => (status === undefined) === (shipment === undefined), {
        path: ["shipment"],
        error: `goes with the status ${SENT}, which needs its carrier`,
      }),
  })
  .refine(...oneSelection)
  .meta({ id: "OrderBulkUpdate" });
export type OrderBulkUpdate = z.output<typeof OrderBulkUpdate>;
