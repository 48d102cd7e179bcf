import { type ProductSortOrder, productSortOrders } from "../../platform/db/tables/product-lists.ts";

export const sorts = [...productSortOrders, "-price"] as const;
export type Sort = (typeof sorts)[number];

/** The sort order behind each value of `sort`, and whether it is read backwards. */
export const sortOrderOf: Record<Sort, { order: ProductSortOrder; backwards: boolean }> = {
  newest: { order: "newest", backwards: true },
  price: { order: "price", backwards: false },
  "-price": { order: "price", backwards: true },
  name: { order: "name", backwards: false },
};
