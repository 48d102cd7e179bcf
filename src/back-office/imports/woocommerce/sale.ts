import type { RowFailure } from "../../../platform/jobs/kind.ts";
import { priceOrNull } from "../third-party/values.ts";
import { type DateOrder, datesIn, orderIn, parseDay } from "./dates.ts";
import type { WooRow } from "./fields.ts";
import type { WooColumn } from "./names.ts";

type Prices = { price?: number | string; compare_at_price: number | string | null };
type Sale = { prices: Prices; problems: RowFailure[] };

const dateColumns = ["saleStarts", "saleEnds"] as const satisfies WooColumn[];

const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

/** True if a sale is current with its dates read in an order. Either date may be missing. */
function isUnderWay({ cells, now }: WooRow, order: DateOrder): boolean {
  const [from = "", to = "9999"] = dateColumns.map((key) => parseDay(cells(key) ?? "", order) ?? undefined);
  const day = dayOf(now);
  return from <= day && day <= to;
}

/** The order of the dates in a row, if one of them proves it. */
export const orderOf = ({ cells }: WooRow): DateOrder | null =>
  dateColumns.map((key) => orderIn(cells(key) ?? "")).find((order) => order !== null) ?? null;

/** True if the current sale depends on the order of day and month, which the row does not prove. */
export const isUndecided = (row: WooRow): boolean =>
  (row.cells("salePrice") ?? "") !== "" &&
  orderOf(row) === null &&
  isUnderWay(row, "day first") !== isUnderWay(row, "month first");

/** The current price: the sale's within its dates, with the regular price as compare-at price. */
export function saleOf(row: WooRow): Sale {
  const { cells } = row;
  const [regular, sale] = [priceOrNull(cells("regularPrice") ?? ""), priceOrNull(cells("salePrice") ?? "")];
  const usual: Prices = { ...(regular !== null && { price: regular }), compare_at_price: null };
  if (sale === null) return { prices: usual, problems: [] };
  const unreadable = dateColumns.filter((key) => (cells(key) ?? "") !== "" && datesIn(cells(key) ?? "").length === 0);
  if (unreadable.length > 0)
    return {
      prices: usual,
      problems: unreadable.map((key) =>
        problem(row, key, "invalid_format", "is not a readable date. Write it like 2026-12-24"),
      ),
    };
  const order = orderOf(row) ?? row.dateOrder;
  if (order === null && isUndecided(row)) return { prices: usual, problems: ambiguous(row) };
  const isOn = isUnderWay(row, order ?? "day first");
  if (!isOn) return { prices: usual, problems: startsLater(row, order ?? "day first") };
  if (typeof sale === "number" && typeof regular === "number" && sale >= regular) {
    const message = `is not below the regular price of ${regular}, which is used`;
    return { prices: usual, problems: [{ ...problem(row, "salePrice", "not_applicable", message), isWarning: true }] };
  }
  return { prices: { price: sale, compare_at_price: regular }, problems: [] };
}

const problem = ({ line, columns }: WooRow, key: WooColumn, code: string, message: string): RowFailure => ({
  ...{ line, code, message },
  field: columns.nameOf(key) ?? "",
});

function ambiguous(row: WooRow): RowFailure[] {
  return dateColumns.flatMap((key) => {
    const dates = datesIn(row.cells(key) ?? "");
    if (dates.length < 2) return [];
    return [problem(row, key, "invalid_format", `can be ${dates.join(" or ")}. Write it as year-month-day`)];
  });
}

function startsLater(row: WooRow, order: DateOrder): RowFailure[] {
  const start = parseDay(row.cells("saleStarts") ?? "", order);
  if (start === null || start <= dayOf(row.now)) return [];
  const message = `is in the future. The sale from ${start} on is not imported`;
  return [{ ...problem(row, "saleStarts", "not_applicable", message), isWarning: true }];
}
