import type { ImportRecord } from "./record.ts";

/** The products with options that a file has had so far, by which its variants find them. */
export class ParentsAbove {
  readonly #skus = new Set<unknown>();
  readonly #skusById = new Map<unknown, unknown>();

  /** Remembers a product with options. Of a variant, tells whether its product stands above it, and names that by its SKU. */
  place(record: ImportRecord): ImportRecord {
    const { fields, failures } = record;
    if (!fields || failures) return record;
    const { id, parent_id, options } = fields;
    if (Array.isArray(options) && options.length > 0) {
      const sku = trimmed(fields.sku);
      this.#skus.add(sku);
      if (id !== undefined) this.#skusById.set(id, sku);
      return record;
    }
    const parent = trimmed(fields.parent_sku ?? this.#skusById.get(parent_id ?? undefined));
    if (parent === undefined) return record;
    return {
      ...record,
      fields: { ...fields, parent_sku: parent },
      ...(this.#skus.has(parent) && { isBelowParent: true }),
    };
  }
}

const trimmed = (sku: unknown): unknown => (typeof sku === "string" ? sku.trim() : sku);
