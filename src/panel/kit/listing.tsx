import type { PropsWithChildren } from "hono/jsx";
import type { Page } from "../../http/pagination.ts";
import { type FormState, isFiltered } from "../forms/state.ts";
import { EmptyState } from "./empty-state.tsx";
import { ErrorSummary } from "./error-summary.tsx";
import { type Filter, FilterBar } from "./filter-bar.tsx";
import { Pagination } from "./pagination.tsx";
import { rendered } from "./rendered.ts";
import { type Column, Table } from "./table.tsx";

/** What a section's routes hand to the page of its list: `url` is the page's own. */
export type ListProps<Row> = { rows: Row[]; place: Page; form: FormState; url: string };

type Props<Row> = ListProps<Row> & {
  label: string;
  filters: Filter[];
  columns: Column<Row>[];
  /** Shown when the list is empty, and when nothing matches. */
  none: { title: string; narrowed: string };
};

/** A list with what narrows it and the ways to its other pages. The children say what an empty one is for. */
export const Listing = async <Row,>(props: PropsWithChildren<Props<Row>>) => {
  const { rows, place, form, url, label, filters, columns, none, children } = props;
  // Its fields are rendered before the summary that names them.
  const filterBar = await rendered(<FilterBar form={form} filters={filters} />);
  return (
    <>
      <ErrorSummary {...form} />
      {filterBar}
      {rows.length === 0 ? (
        <EmptyState title={isFiltered(form) ? none.narrowed : none.title}>{children}</EmptyState>
      ) : (
        <Table label={label} rows={rows} columns={columns} />
      )}
      <Pagination page={place} url={url} />
    </>
  );
};
