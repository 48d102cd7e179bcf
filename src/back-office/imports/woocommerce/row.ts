import type { Columns } from "../third-party/columns.ts";
import type { DateOrder } from "./dates.ts";
import type { WooCells } from "./fields.ts";
import type { WooColumn } from "./names.ts";

export type WooRow = {
  line: number;
  cells: WooCells;
  types: string[];
  /** The values of its attributes. */
  attributes: string[];
  columns: Columns<WooColumn>;
  now: number;
  /** The order of day and month that the dates of the file tell. */
  dateOrder: DateOrder | null;
};
