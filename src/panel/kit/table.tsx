import type { Child } from "hono/jsx";

/** A cell that is null has nothing to say: a dash, which a narrow screen leaves out. */
export type Column<Row> = { title: string; cell: (row: Row) => Child; numeric?: boolean };

/** A list. On a narrow screen each row is a card that its first column heads. */
export const Table = <Row,>({ label, rows, columns }: { label: string; rows: Row[]; columns: Column<Row>[] }) => (
  <table class="list" aria-label={label}>
    <thead>
      <tr>
        {columns.map(({ title, numeric }) => (
          <th scope="col" class={numeric ? "numeric" : undefined}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr>
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
