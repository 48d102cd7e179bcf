import type { Picture } from "../third-party/values.ts";

/** Values that variations inherit from their variable product. */
export type Parent = {
  line: number;
  id: string;
  sku: string;
  name: string;
  description: string | undefined;
  status: "active" | "draft" | undefined;
  category: string | undefined;
  pictures: Picture[];
  taxClass: string | undefined;
  weight: number | string | null;
  stock: string | undefined;
  hasVariations: boolean;
};

/** Maximum characters kept of variable products. A large shop's do not all fit until the end. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** Any cell of it may be long, whatever it is for. */
const sizeOf = ({ pictures, ...parent }: Parent): number =>
  [...Object.values(parent), ...pictures.map(({ url }) => url)].reduce<number>(
    (sum, value) => sum + (typeof value === "string" ? value.length : 0),
    500,
  );

/** The variable products that were read, by their ids and SKUs. */
export class Parents {
  readonly #all = new Set<Parent>();
  readonly #byName = new Map<string, Parent>();
  #size = 0;

  /** Adds a parent. Returns those that are forgotten to make room. */
  add(parent: Parent): Parent[] {
    this.#all.add(parent);
    for (const name of namesOf(parent)) this.#byName.set(name, parent);
    this.#size += sizeOf(parent);
    const forgotten: Parent[] = [];
    for (const each of this.#all) {
      if (this.#size <= MOST_CHARACTERS) break;
      forgotten.push(each);
      this.#all.delete(each);
      this.#size -= sizeOf(each);
      for (const name of namesOf(each)) if (this.#byName.get(name) === each) this.#byName.delete(name);
    }
    return forgotten;
  }

  /** Finds by "id:44" or by SKU. */
  find(reference: string): Parent | undefined {
    return this.#byName.get(reference);
  }

  all(): Iterable<Parent> {
    return this.#all;
  }
}

const namesOf = ({ id, sku }: Parent): string[] => [...(id === "" ? [] : [`id:${id}`]), ...(sku === "" ? [] : [sku])];
