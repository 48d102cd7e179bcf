import { createHash } from "node:crypto";

type Variant = { sku: string; handle: string; options: string[] };

/** The longest SKU of a product. */
const LONGEST = 100;

/** Joins texts into one SKU. If it is too long, its end becomes a digest of the whole. */
function madeSku(parts: string[]): string {
  const sku = parts.filter((part) => part !== "").join("-");
  if (sku.length <= LONGEST) return sku;
  return `${sku.slice(0, LONGEST - 11)}-${createHash("sha256").update(sku).digest("hex").slice(0, 10)}`;
}

const plainSku = ({ sku, handle, options }: Variant): string => sku || madeSku([handle, ...options]);

/** Which SKUs several variants of a file have. All of the file is read for that first, so that the order of its rows is no matter. */
export class SharedSkus {
  /** The product that was first to have an SKU. */
  readonly #handles = new Map<string, string>();
  readonly #shared = new Set<string>();
  readonly #sharedByProducts = new Set<string>();

  add(variant: Variant): void {
    const sku = plainSku(variant);
    const handle = this.#handles.get(sku);
    if (handle === undefined) this.#handles.set(sku, variant.handle);
    else (handle === variant.handle ? this.#shared : this.#sharedByProducts).add(sku);
  }

  /** Returns a variant's SKU, with its options if others share it, and with its handle if options are not enough. */
  distinct(variant: Variant): { sku: string; isMade: boolean } {
    const plain = plainSku(variant);
    const isSharedByProducts = this.#sharedByProducts.has(plain);
    if (!isSharedByProducts && !this.#shared.has(plain)) return { sku: plain, isMade: false };
    const withOptions = madeSku([plain, ...variant.options]);
    const isEnough = !isSharedByProducts && !this.#handles.has(withOptions);
    return { sku: isEnough ? withOptions : madeSku([plain, variant.handle, ...variant.options]), isMade: true };
  }
}
