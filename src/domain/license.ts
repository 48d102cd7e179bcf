import * as z from "zod";

const days = z.int().min(1).max(36_500).nullable().default(null);

/** Terms of the license keys of a product: each sold unit issues one. */
export const License = z
  .strictObject({
    source: z
      .enum(["generated", "uploaded"])
      .default("generated")
      .describe("`uploaded`: the stock is the number of unsold keys of the lists sent to `createStockAdjustment`"),
    prefix: z
      .string()
      .max(10)
      .regex(/^[A-Z0-9]+$/, "must be capital letters and digits")
      .nullable()
      .default(null),
    activation_limit: z.int().min(1).max(1_000).describe("Devices per key"),
    valid_days: days.describe("Days until a key expires"),
    update_days: days.describe("Days with updates"),
  })
  .meta({ id: "License" });
export type License = z.output<typeof License>;
