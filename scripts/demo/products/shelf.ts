import type { DemoCategory, DemoProduct } from "../types.ts";

type Item = Omit<DemoProduct, "type" | "category" | "status"> & Partial<Pick<DemoProduct, "status">>;

/** A category with its products, which are active unless they say otherwise. */
export const shelf = (category: DemoCategory, type: DemoProduct["type"], items: Item[]) => ({
  category,
  products: items.map((item): DemoProduct => ({ status: "active", ...item, type, category: category.slug })),
});
