import type { ProductOption } from "../../../platform/db/schema.ts";

/** A variable product, as far as its variations need it. */
export type Parent = {
  id: string;
  /** The SKU in the file, and the one in this shop. */
  sku: string;
  importedSku: string;
  types: string[];
  options: ProductOption[];
  taxClass: string | undefined;
  stock: string | undefined;
};

/** Maximum characters kept of variable products. A large shop's do not all fit until the end. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** Any cell of it may be long, whatever it is for. */
const sizeOf = ({ options, ...parent }: Parent): number =>
  [...Object.values(parent), ...options.flatMap(({ name, values }) => [name, ...values])].reduce<number>(
    (sum, value) => sum + (typeof value === "string" ? value.length + 20 : 0),
    300,
  );

/** The variable products that were read, by their ids and SKUs. */
export class Parents {
  readonly #all = new Set<Parent>();
  readonly #byName = new Map<string, Parent>();
  #size = 0;

  /** Adds a parent, and forgets the first ones to make room. */
  add(parent: Parent): void {
    this.#all.add(parent);
    for (const name of parentReferencesOf(parent)) this.#byName.set(name, parent);
    this.#size += sizeOf(parent);
    for (const each of this.#all) {
      if (this.#size <= MOST_CHARACTERS) break;
      this.#all.delete(each);
      this.#size -= sizeOf(each);
      for (const name of parentReferencesOf(each)) if (this.#byName.get(name) === each) this.#byName.delete(name);
    }
  }

  /** Finds by "id:44" or by SKU. */
  find(reference: string): Parent | undefined {
    return this.#byName.get(reference);
  }
}

export const parentReferencesOf = ({ id, sku }: Pick<Parent, "id" | "sku">): string[] => [
  ...(id === "" ? [] : [`id:${id}`]),
  ...(sku === "" ? [] : [sku]),
];
