import type { ImportResource } from "../../platform/db/schema.ts";

/** Rows of the files that merchants download and fill in, one of each kind. */
export const importTemplates: Record<ImportResource, Record<string, string>[]> = {
  products: [
    {
      sku: "MUG",
      parent_sku: "",
      name: "Mug",
      description: "Holds 300 ml.",
      price: "12.50",
      stock_quantity: "20",
      category: "Kitchen > Cups",
      tags: "summer, gift",
      images: "https://example.com/mug.jpg",
      barcode: "",
      option_1_name: "",
      option_1_value: "",
    },
    { sku: "TEE", parent_sku: "", name: "T-shirt", option_1_name: "Size", option_1_value: "S | M" },
    { sku: "TEE-S", parent_sku: "TEE", price: "20", stock_quantity: "5", option_1_name: "Size", option_1_value: "S" },
    { sku: "TEE-M", parent_sku: "TEE", price: "20", stock_quantity: "5", option_1_name: "Size", option_1_value: "M" },
  ],
  customers: [
    {
      email: "ada@example.com",
      name: "Ada Lovelace",
      phone: "",
      company: "",
      tags: "wholesale",
      accepts_marketing: "false",
    },
  ],
};
