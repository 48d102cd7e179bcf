import * as z from "zod";

/** What became of a guest cart: how many of its lines are in the user's, and those that did not add up. */
export const CartMerge = z
  .object({
    merged_items: z.int(),
    differences: z.array(z.object({ product_id: z.int(), name: z.string(), requested: z.int(), quantity: z.int() })),
  })
  .meta({ id: "CartMerge" });
export type CartMerge = z.output<typeof CartMerge>;
