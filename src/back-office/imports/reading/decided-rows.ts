import type { AmbiguousColumn, DecimalSeparator } from "../../../platform/db/schema.ts";
import type { CsvRow } from "./csv-rows.ts";
import { readNumber, unambiguous } from "./numbers.ts";

/** How numbers that can be read in two ways are read, by the place of their column; of a column without one they stay as they are. */
export type Separators = ReadonlyMap<number, DecimalSeparator>;

/** Some numbers of a file can be read in two ways: it has to be read once more, with what its other rows say of each column. */
export class Undecided extends Error {
  readonly separators: Separators;
  constructor(separators: Separators) {
    super("Numbers can be read in two ways");
    this.separators = separators;
  }
}

/** The evidence that the numbers of each column give, whatever their order. */
class Evidence {
  readonly #found = new Map<number, Set<DecimalSeparator>>();

  add(at: number, separator: DecimalSeparator | null): void {
    if (separator === null) return;
    const found = this.#found.get(at) ?? new Set();
    this.#found.set(at, found.add(separator));
  }

  /** A column that has proof of both separators decides nothing. */
  separators(): Separators {
    return new Map([...this.#found].flatMap(([at, found]) => (found.size === 1 ? [[at, [...found][0] ?? "."]] : [])));
  }
}

/** Reads rows for the first time: the first number that can be read in two ways ends it, once all rows were looked at. */
export async function* decisiveRows(rows: AsyncIterable<CsvRow>, numeric: number[]): AsyncGenerator<CsvRow> {
  const evidence = new Evidence();
  let isUndecided = false;
  for await (const row of rows) {
    if (!row.problem) {
      for (const at of numeric) {
        const read = readNumber((row.cells[at] ?? "").trim());
        if (read && "readings" in read) isUndecided = true;
        else if (read) evidence.add(at, read.separator);
      }
    }
    if (!isUndecided) yield row;
  }
  if (isUndecided) throw new Undecided(evidence.separators());
}

/** Rows whose numbers can be read in one way only, where `separators` says which; and what is left of the others. */
export class DecidedRows {
  readonly #ambiguous = new Map<number, { rows: number; example: string }>();
  readonly #header: string[];

  constructor(header: string[]) {
    this.#header = header;
  }

  async *of(rows: AsyncIterable<CsvRow>, numeric: number[], separators: Separators): AsyncGenerator<CsvRow> {
    for await (const row of rows) {
      if (row.problem) {
        yield row;
        continue;
      }
      const cells = [...row.cells];
      for (const at of numeric) {
        const text = (cells[at] ?? "").trim();
        const read = readNumber(text);
        if (!read || "value" in read) continue;
        const separator = separators.get(at);
        if (separator === undefined) this.#count(at, text);
        else cells[at] = unambiguous(read.readings[separator]);
      }
      yield { ...row, cells };
    }
  }

  #count(at: number, example: string): void {
    const { rows, ...first } = this.#ambiguous.get(at) ?? { rows: 0, example };
    this.#ambiguous.set(at, { ...first, rows: rows + 1 });
  }

  get ambiguous(): AmbiguousColumn[] {
    return [...this.#ambiguous].map(([at, found]) => ({ column: this.#header[at] ?? "", ...found }));
  }
}
