import type { PropsWithChildren } from "hono/jsx";
import type { Page } from "../../platform/http/pagination.ts";
import { type FormState, isFiltered } from "../forms/state.ts";
import { EmptyState } from "./empty-state.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { ErrorSummary } from "./form.tsx";
import { Pagination } from "./pagination.tsx";
import { type Bulk, SelectionForm } from "./selection.tsx";
import { type Column, Table } from "./table.tsx";
import { filtersOf, textOf, type Views, ViewTabs } from "./view-tabs.tsx";

/** Props of a section's list page; `url` is the page's own. */
export type ListProps<Row> = { rows: Row[]; place: Page; form: FormState<string>; url: string; views?: Views };

type Props<Row> = ListProps<Row> & {
  label: string;
  columns: Column<Row>[];
  /** Actions on several rows, and how each row is named then. */
  bulk?: (Bulk & { selects: (row: Row) => { id: number; name: string } }) | undefined;
  /** Default sort order. */
  sort?: string;
  /** Shown for an empty list, and if nothing matches. */
  none: { title: string; narrowed: string };
};

/** A list with filters and pagination. The children explain an empty list. */
export const Listing = <Row,>(props: PropsWithChildren<Props<Row>>) => {
  const { rows, place, form, url, views, label, columns, sort = "newest", none, bulk, children } = props;
  const sorting = { sort: form.values.sort?.[0] ?? sort, url };
  const table = <Table label={label} rows={rows} columns={columns} sorting={sorting} selects={bulk?.selects} />;
  return (
    <>
      <ErrorSummary {...form} />
      {views && <ViewTabs form={form} views={views} />}
      <FilterBar form={form} />
      {rows.length === 0 ? (
        <EmptyState title={isFiltered(form) ? none.narrowed : none.title}>{children}</EmptyState>
      ) : bulk ? (
        <SelectionForm bulk={bulk} filters={textOf(filtersOf(form))} place={place}>
          {table}
        </SelectionForm>
      ) : (
        table
      )}
      <Pagination page={place} url={url} />
    </>
  );
};
