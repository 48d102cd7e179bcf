import type { DemoCategory, DemoProduct } from "../types.ts";

type Item = Omit<DemoProduct, "type" | "category" | "status"> & Partial<Pick<DemoProduct, "status">>;

/** A category with its products, by default active and of one brand. */
export const shelf = (category: DemoCategory, type: DemoProduct["type"], items: Item[], brand?: string) => ({
  category,
  products: items.map(
    (item): DemoProduct => ({
      status: "active",
      ...(brand && { brand }),
      ...item,
      type,
      category: category.slug,
    }),
  ),
});
