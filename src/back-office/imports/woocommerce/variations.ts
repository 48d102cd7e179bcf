import type { OptionValue } from "../../../domain/option-values.ts";
import type { ProductOption } from "../../../platform/db/schema.ts";
import { addValues } from "../third-party/columns.ts";

/** Attributes and values used by the variations of one product, and the combinations with a row. */
type UsedAttributes = { values: Map<string, { name: string; values: Map<string, string> }>; combinations: Set<string> };

const keyOf = (chosen: readonly OptionValue[]): string =>
  JSON.stringify(chosen.map(({ name, value }) => [name.toLowerCase(), value.toLowerCase()]).sort());

/**
 * The variations of a file. A variable product precedes its variations and does not say which of its attributes they
 * use, so the file is first read for these.
 */
export class Variations {
  readonly #used = new Map<string, UsedAttributes>();

  /** Registers all names of one variable product. */
  addProduct(names: readonly string[]): void {
    const used = this.#usedBy(names[0] ?? "");
    for (const name of names) if (!this.#used.has(name)) this.#used.set(name, used);
  }

  add(reference: string, attributes: readonly OptionValue[]): void {
    const { values, combinations } = this.#usedBy(reference);
    for (const { name, value } of attributes) {
      const option = values.get(name.toLowerCase()) ?? { name, values: new Map<string, string>() };
      values.set(name.toLowerCase(), option);
      if (value !== "") addValues(option.values, [value]);
    }
    if (attributes.every(({ value }) => value !== "")) combinations.add(keyOf(attributes));
  }

  /** The attributes of a product used by its variations, with all of their values. */
  optionsOf(reference: string, attributes: readonly ProductOption[]): ProductOption[] {
    const { values: used } = this.#usedBy(reference);
    const isUsed = ({ name }: ProductOption) => used.has(name.toLowerCase());
    const own = attributes.filter(isUsed);
    const others = [...used.values()].filter(
      ({ name }) => !own.some((one) => one.name.toLowerCase() === name.toLowerCase()),
    );
    return [...own, ...others.map(({ name }) => ({ name, values: [] }))].map(({ name, values }) => {
      const all = new Map<string, string>();
      addValues(all, values);
      addValues(all, used.get(name.toLowerCase())?.values.values() ?? []);
      return { name, values: [...all.values()] };
    });
  }

  /** Claims a combination for a variation with an open attribute. False if another row has it. */
  claim(reference: string, chosen: readonly OptionValue[]): boolean {
    const { combinations } = this.#usedBy(reference);
    const key = keyOf(chosen);
    if (combinations.has(key)) return false;
    combinations.add(key);
    return true;
  }

  #usedBy(reference: string): UsedAttributes {
    const used = this.#used.get(reference) ?? { values: new Map(), combinations: new Set() };
    this.#used.set(reference, used);
    return used;
  }
}

/** The parts of a variable product that its variations need. */
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

/** Maximum characters of stored variable products. A large shop's do not all fit. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** Counts every cell, because any of them may be long. */
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

  /** Adds a parent, and removes the oldest ones to make room. */
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
