import type { OptionValue } from "../../../domain/option-values.ts";
import type { ProductOption } from "../../../platform/db/schema.ts";
import { addValues } from "../third-party/values.ts";

/** Attributes and values that the variations of one product use, and the combinations that have a row. */
type Used = { values: Map<string, { name: string; values: Map<string, string> }>; combinations: Set<string> };

const keyOf = (chosen: readonly OptionValue[]): string =>
  JSON.stringify(chosen.map(({ name, value }) => [name.toLowerCase(), value.toLowerCase()]).sort());

/**
 * The variations of a file. A variable product stands above its variations and does not say which of its attributes they use, so
 * the file is read for these first.
 */
export class Variations {
  readonly #used = new Map<string, Used>();

  /** Makes several names of one variable product mean the same. */
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

  /** The attributes of a product that its variations use, with all of their values. */
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

  /** Claims the combination of a variation for any value. False if another row has it. */
  claim(reference: string, chosen: readonly OptionValue[]): boolean {
    const { combinations } = this.#usedBy(reference);
    const key = keyOf(chosen);
    if (combinations.has(key)) return false;
    combinations.add(key);
    return true;
  }

  #usedBy(reference: string): Used {
    const used = this.#used.get(reference) ?? { values: new Map(), combinations: new Set() };
    this.#used.set(reference, used);
    return used;
  }
}
