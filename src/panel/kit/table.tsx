import type { Child } from "hono/jsx";

/** Values of `sort` that sort a list by a column, for each direction. */
type Sort = { ascending?: string; descending?: string };

/** A null cell shows a dash, which narrow screens omit. */
export type Column<Row> = {
  title: string;
  cell: (row: Row) => Child;
  numeric?: boolean;
  sort?: Sort;
  /** True if only wide windows show the column. */
  wide?: boolean;
  /**
   * Place in the two lines of a row on a phone. By default, the first column and a numeric last one are on the first
   * line, other numbers are on the second with their `title`, and the rest is on the second.
   */
  phone?: "first" | "second" | "titled" | "none";
};

/** The list's sort order: the value of `sort`, and the page's address. */
type SortState = { sort: string; url: string };

export type TableProps<Row> = {
  label: string;
  rows: Row[];
  columns: Column<Row>[];
  sorting?: SortState | undefined;
  /** Label of the checkbox that selects a row, if rows are selectable. */
  selects?: ((row: Row) => { id: number; name: string }) | undefined;
  /** The group of a row, such as its day, and the cells of the group's head, which may end with a number. */
  groups?: ((row: Row) => { key: string; head: Child; sum?: Child }) | undefined;
  /** How a phone shows rows: as two lines, or as titles with values. */
  phone?: "lines" | "titles";
  /** Shown instead of a table without rows. */
  none?: Child;
};

/** A table. On a phone each row is a card headed by its first column. */
export const Table = <Row,>(props: TableProps<Row>) => {
  const { label, rows, columns, sorting, selects, groups, phone = "titles", none } = props;
  if (rows.length === 0 && none !== undefined) return <>{none}</>;
  const classes = columns.map((column, place) => classOf(column, placeOf(column, place, columns), phone));
  const width = columns.length + (selects ? 1 : 0);
  const wide = columns.filter((column) => column.wide).length;
  let group: string | undefined;
  return (
    <table class={`list ${phone}`} aria-label={label}>
      <thead>
        <tr>
          {selects && (
            <td class="select" data-label="All on this page">
              <input type="checkbox" data-select-page aria-label="All on this page" />
            </td>
          )}
          {columns.map(({ title, sort }, place) => (
            <th scope="col" class={classes[place]} aria-sort={sort && sorting ? directionOf(sort, sorting) : undefined}>
              {sort && sorting ? <a href={otherwise(sort, sorting)}>{title}</a> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const next = groups?.(row);
          const isNew = next !== undefined && next.key !== group;
          group = next?.key;
          return (
            <>
              {isNew && (
                <tr class="subhead">
                  <th scope="rowgroup" colspan={width - wide - (next.sum === undefined ? 0 : 1)}>
                    {next.head}
                  </th>
                  {wide > 0 && <td class="wide" colspan={wide} />}
                  {next.sum !== undefined && <td class="numeric">{next.sum}</td>}
                </tr>
              )}
              <tr>
                {selects && <SelectBox {...selects(row)} />}
                {columns.map(({ title, cell }, place) => {
                  const content = cell(row);
                  return (
                    <td data-label={title} data-empty={content === null ? "" : undefined} class={classes[place]}>
                      {content ?? <span class="muted">–</span>}
                    </td>
                  );
                })}
              </tr>
            </>
          );
        })}
      </tbody>
    </table>
  );
};

function placeOf<Row>({ phone, numeric }: Column<Row>, place: number, columns: Column<Row>[]) {
  if (phone) return phone;
  if (place === 0 || (numeric && place === columns.length - 1)) return "first";
  return numeric ? "titled" : "second";
}

function classOf<Row>(
  { numeric, wide }: Column<Row>,
  place: NonNullable<Column<Row>["phone"]>,
  phone: TableProps<Row>["phone"],
): string | undefined {
  const names = [numeric && "numeric", wide && "wide", phone === "lines" && place !== "second" && place];
  return names.filter(Boolean).join(" ") || undefined;
}

const SelectBox = ({ id, name }: { id: number; name: string }) => (
  <td class="select">
    <input type="checkbox" name="ids" value={id} aria-label={`Select ${name}`} />
  </td>
);

function directionOf({ ascending, descending }: Sort, { sort }: SortState): "ascending" | "descending" | undefined {
  if (sort === ascending) return "ascending";
  return sort === descending ? "descending" : undefined;
}

/** The list's first page sorted by the column, or in reverse if it already is. */
function otherwise({ ascending, descending }: Sort, { sort, url }: SortState): string {
  const { pathname, searchParams } = new URL(url);
  searchParams.delete("page");
  const first = ascending ?? descending ?? sort;
  searchParams.set("sort", sort === first ? (descending ?? first) : first);
  return `${pathname}?${searchParams}`;
}
