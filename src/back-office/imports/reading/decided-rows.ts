import {
  type DecimalSeparator,
  type ReadNumber,
  readNumber,
  readPrice,
  usualSeparator,
} from "../../../domain/numbers.ts";
import type { AmbiguousColumn } from "../../../platform/db/schema.ts";
import type { CsvRow } from "./csv-rows.ts";
import { unambiguous } from "./numbers.ts";

/** A numeric column, by position. */
export type NumericColumn = { at: number; isPrice: boolean };

const readCell = (cells: string[], { at, isPrice }: NumericColumn): ReadNumber | null =>
  (isPrice ? readPrice : readNumber)((cells[at] ?? "").trim());

/** Decimal separators for ambiguous numbers, by column position. Numbers of other columns stay undecided. */
export type Separators = ReadonlyMap<number, DecimalSeparator>;

/** A file has ambiguous numbers and must be read again, with the separators that its other rows prove. */
export class UndecidedNumbers extends Error {
  readonly separators: Separators;
  constructor(separators: Separators) {
    super("Numbers can be read in two ways");
    this.separators = separators;
  }
}

/** Evidence from the numbers of each column, in any order. */
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

/** Reads rows on a first pass. An ambiguous number ends it with `Undecided`, once all rows were examined. */
export async function* decisiveRows(rows: AsyncIterable<CsvRow>, numeric: NumericColumn[]): AsyncGenerator<CsvRow> {
  const evidence = new Evidence();
  let isUndecided = false;
  for await (const row of rows) {
    if (!row.problem) {
      for (const column of numeric) {
        const number = readCell(row.cells, column);
        if (number && "readings" in number) isUndecided = true;
        else if (number) evidence.add(column.at, number.separator);
      }
    }
    if (!isUndecided) yield row;
  }
  if (isUndecided) throw new UndecidedNumbers(evidence.separators());
}

/** Rows without ambiguous numbers, resolved by `separators` where possible, and the number of the others. */
export class DecidedRows {
  readonly #ambiguous = new Map<number, { rows: number; example: string }>();
  readonly #header: string[];

  constructor(header: string[]) {
    this.#header = header;
  }

  async *of(rows: AsyncIterable<CsvRow>, numeric: NumericColumn[], separators: Separators): AsyncGenerator<CsvRow> {
    for await (const row of rows) {
      if (row.problem) {
        yield row;
        continue;
      }
      const cells = [...row.cells];
      for (const column of numeric) {
        const { at, isPrice } = column;
        const number = readCell(cells, column);
        if (!number || "value" in number) continue;
        const separator = separators.get(at) ?? (isPrice ? usualSeparator(number.readings) : undefined);
        if (separator === undefined) this.#count(at, (cells[at] ?? "").trim());
        else cells[at] = unambiguous(number.readings[separator]);
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
