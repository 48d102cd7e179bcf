import type { Child } from "hono/jsx";

/** Values of `sort` that sort a list by a column, for each direction. */
type Sort = { ascending?: string; descending?: string };

/** A null cell shows a dash, which narrow screens leave out. */
export type Column<Row> = { title: string; cell: (row: Row) => Child; numeric?: boolean; sort?: Sort };

/** The list's sort order: the value of `sort`, and the page's address. */
type Sorting = { sort: string; url: string };

type Props<Row> = {
  label: string;
  rows: Row[];
  columns: Column<Row>[];
  sorting?: Sorting | undefined;
  /** Label of the checkbox that selects a row, if rows are selectable. */
  selects?: ((row: Row) => { id: number; name: string }) | undefined;
};

/** A table. On narrow screens each row is a card headed by its first column. */
export const Table = <Row,>({ label, rows, columns, sorting, selects }: Props<Row>) => (
  <table class="list" aria-label={label}>
    <thead>
      <tr>
        {selects && (
          <td class="select" data-label="All on this page">
            <input type="checkbox" data-select-page hidden aria-label="All on this page" />
          </td>
        )}
        {columns.map(({ title, numeric, sort }) => (
          <th
            scope="col"
            class={numeric ? "numeric" : undefined}
            aria-sort={sort && sorting ? directionOf(sort, sorting) : undefined}
          >
            {sort && sorting ? <a href={otherwise(sort, sorting)}>{title}</a> : title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr>
          {selects && <SelectBox {...selects(row)} />}
          {columns.map(({ title, cell, numeric }) => {
            const content = cell(row);
            return (
              <td
                data-label={title}
                data-empty={content === null ? "" : undefined}
                class={numeric ? "numeric" : undefined}
              >
                {content ?? <span class="muted">–</span>}
              </td>
            );
          })}
        </tr>
      ))}
    </tbody>
  </table>
);

const SelectBox = ({ id, name }: { id: number; name: string }) => (
  <td class="select">
    <input type="checkbox" name="ids" value={id} aria-label={`Select ${name}`} />
  </td>
);

function directionOf({ ascending, descending }: Sort, { sort }: Sorting): "ascending" | "descending" | undefined {
  if (sort === ascending) return "ascending";
  return sort === descending ? "descending" : undefined;
}

/** The list's first page sorted by the column, or in reverse if it already is. */
function otherwise({ ascending, descending }: Sort, { sort, url }: Sorting): string {
  const { pathname, searchParams } = new URL(url);
  searchParams.delete("page");
  const first = ascending ?? descending ?? sort;
  searchParams.set("sort", sort === first ? (descending ?? first) : first);
  return `${pathname}?${searchParams}`;
}
