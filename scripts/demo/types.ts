import type { FileAccess, ProductStatus, ProductType } from "../../src/platform/db/schema.ts";

export type DemoCategory = { name: string; slug: string };

export type DemoProduct = {
  name: string;
  slug: string;
  sku: string;
  type: ProductType;
  status: ProductStatus;
  description: string;
  /** In minor units. */
  price: number;
  compareAtPrice?: number;
  /** Slug of a category. */
  category: string;
  /** Null if stock is not managed. */
  stock: number | null;
  /** Keys of demo files. */
  files?: string[];
  downloadLimit?: number;
  downloadDays?: number;
  weightGrams?: number;
  metadata?: Record<string, string>;
};

export type DemoFile = {
  key: string;
  name: string;
  description: string;
  fileName: string;
  mimeType: string;
  access: FileAccess;
  bytes: () => Uint8Array;
};
