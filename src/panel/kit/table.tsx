import type { Child } from "hono/jsx";

/** The values of `sort` that order a list by a column, for each direction that there is. */
type Sort = { ascending?: string; descending?: string };

/** A cell that is null has nothing to say: a dash, which a narrow screen leaves out. */
export type Column<Row> = { title: string; cell: (row: Row) => Child; numeric?: boolean; sort?: Sort };

/** How a list is ordered: the value of `sort`, and the page's address, by which it is ordered otherwise. */
type Sorting = { sort: string; url: string };

type Props<Row> = {
  label: string;
  rows: Row[];
  columns: Column<Row>[];
  sorting?: Sorting | undefined;
  /** What a row is called by the box that selects it, where rows can be. */
  selects?: ((row: Row) => { id: number; name: string }) | undefined;
};

/** A list. On a narrow screen each row is a card that its first column heads. */
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

/** The list from its first page on, ordered by the column, or the other way round if it is already. */
function otherwise({ ascending, descending }: Sort, { sort, url }: Sorting): string {
  const { pathname, searchParams } = new URL(url);
  searchParams.delete("page");
  const first = ascending ?? descending ?? sort;
  searchParams.set("sort", sort === first ? (descending ?? first) : first);
  return `${pathname}?${searchParams}`;
}
