import * as z from "zod";

export const CartMerge = z
  .object({
    merged_items: z.int().describe("Lines that are in the user's cart now"),
    differences: z
      .array(z.object({ product_id: z.int(), name: z.string(), requested: z.int(), quantity: z.int() }))
      .describe("Lines that hold less than the two carts together"),
  })
  .meta({ id: "CartMerge" });
export type CartMerge = z.output<typeof CartMerge>;
