import type { DemoCategory, DemoProduct } from "../types.ts";

type Item = Omit<DemoProduct, "type" | "category" | "status"> & Partial<Pick<DemoProduct, "status">>;

/** A category with its products, which are active and of one brand unless they say otherwise. */
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
