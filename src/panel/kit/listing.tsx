import type { PropsWithChildren } from "hono/jsx";
import type { Page } from "../../http/pagination.ts";
import { type FormState, isNarrowed } from "../forms/state.ts";
import { EmptyState } from "./empty-state.tsx";
import { type Filter, FilterBar } from "./filter-bar.tsx";
import { FormErrors } from "./form.tsx";
import { Pagination } from "./pagination.tsx";
import { type Column, Table } from "./table.tsx";

/** What a section's routes hand to the page of its list: `url` is the page's own. */
export type ListProps<Row> = { rows: Row[]; place: Page; form: FormState; url: string };

type Props<Row> = ListProps<Row> & {
  label: string;
  filters: Filter[];
  columns: Column<Row>[];
  /** What stands there when there is nothing, and when nothing matches. */
  none: { title: string; narrowed: string };
};

/** A list with what narrows it and the ways to its other pages. The children say what an empty one is for. */
export const Listing = <Row,>(props: PropsWithChildren<Props<Row>>) => {
  const { rows, place, form, url, label, filters, columns, none, children } = props;
  return (
    <>
      <FormErrors message={form.message} errors={form.errors} />
      <FilterBar form={form} filters={filters} />
      {rows.length === 0 ? (
        <EmptyState title={isNarrowed(form) ? none.narrowed : none.title}>{children}</EmptyState>
      ) : (
        <Table label={label} rows={rows} columns={columns} />
      )}
      <Pagination page={place} url={url} />
    </>
  );
};
