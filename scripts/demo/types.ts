import type {
  FileAccess,
  ProductCondition,
  ProductOption,
  ProductStatus,
  ProductType,
} from "../../src/platform/db/schema.ts";

/** A category. `parent` is the slug of its parent. */
export type DemoCategory = { name: string; slug: string; parent?: string };

export type DemoProduct = {
  name: string;
  slug: string;
  sku: string;
  type: ProductType;
  status: ProductStatus;
  /** Written in Markdown. */
  description: string;
  brand?: string;
  condition?: ProductCondition;
  seoDescription?: string;
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
  options?: ProductOption[];
  /** Name of the option whose values have pictures of their own. */
  picturedBy?: string;
  variants?: DemoVariant[];
};

/** A variant. Its SKU and picture follow from its values, and everything else from its product. */
export type DemoVariant = Pick<DemoProduct, "stock" | "compareAtPrice" | "files" | "weightGrams"> &
  Partial<Pick<DemoProduct, "price" | "type">> & {
    /** One value for each option. */
    values: string[];
  };

export type DemoFile = {
  key: string;
  name: string;
  description: string;
  fileName: string;
  mimeType: string;
  access: FileAccess;
  generate?: () => Uint8Array;
};
