import type { Child, PropsWithChildren } from "hono/jsx";
import type { Page } from "../../platform/http/pagination.ts";
import { type FormState, idOf, isFiltered } from "../forms/inputs.ts";
import { type Need, useAllowed } from "./allowed.tsx";
import { apiFilterText, FilterBar } from "./filters.tsx";
import { Button, ErrorSummary, LinkButton } from "./form.tsx";
import { EmptyState } from "./page-parts.tsx";
import { type Column, Table, type TableProps } from "./table.tsx";

export type ListProps<Row> = {
  rows: Row[];
  place: Page;
  form: FormState<string>;
  /** The page's own. */
  url: string;
  label: string;
  columns: Column<Row>[];
  /** Actions on several rows, who may use them, and the label that names each row. */
  bulk?: Bulk & { needs: Need; selects: (row: Row) => { id: number; name: string } };
  /** Default sort order. */
  sort?: string;
  groups?: TableProps<Row>["groups"];
  /** Shown for an empty list, or if nothing matches. */
  none: { title: string; narrowed: string };
  /** The button of an empty list. */
  add?: Child;
};

/** A list with filters and pagination. The children explain an empty list. */
export const ListPage = <Row,>(props: PropsWithChildren<ListProps<Row>>) => {
  const { rows, place, form, url, label, columns, sort = "newest", none, add, groups, children } = props;
  const bulk = props.bulk && useAllowed(props.bulk.needs) ? props.bulk : undefined;
  const sorting = { sort: form.values.sort?.[0] ?? sort, url };
  const table = <Table {...{ label, rows, columns, sorting, groups }} selects={bulk?.selects} phone="lines" />;
  return (
    <>
      <ErrorSummary {...form} />
      {(place.totalItems > 0 || isFiltered(form)) && <FilterBar form={form} />}
      {rows.length === 0 ? (
        isFiltered(form) ? (
          <EmptyState title={none.narrowed} actions={<LinkButton href={form.action}>Show all</LinkButton>} />
        ) : (
          <EmptyState title={none.title} actions={add}>
            {children}
          </EmptyState>
        )
      ) : bulk ? (
        <SelectionForm bulk={bulk} filters={apiFilterText(form)} place={place}>
          {table}
        </SelectionForm>
      ) : (
        table
      )}
      <Pagination page={place} url={url} />
    </>
  );
};

/** The position in a list with links to its pages; empty for an empty list. `url` is the page's own. */
export const Pagination = ({ page: { page, perPage, totalItems, totalIsExact }, url }: { page: Page; url: string }) => {
  if (totalItems === 0) return null;
  const last = Math.max(1, Math.ceil(totalItems / perPage));
  const first = (page - 1) * perPage + 1;
  const through = Math.min(page * perPage, totalItems);
  const total = totalIsExact ? totalItems : `more than ${totalItems}`;
  return (
    <nav class="pagination" aria-label="Pages">
      <span class="muted">{first > through ? `None of ${total}` : `${first}–${through} of ${total}`}</span>
      <Step url={url} to={page > 1 ? Math.min(page - 1, last) : null} rel="prev" name="Previous" />
      {last > 1 && (
        <span class="numbers">
          {pagesAround(page, last).map((number, place, numbers) => (
            <>
              {place > 0 && number > (numbers[place - 1] ?? 0) + 1 && <span class="muted">…</span>}
              <a
                href={withPage(url, number)}
                aria-label={`Page ${number}`}
                aria-current={number === page ? "page" : undefined}
              >
                {number}
              </a>
            </>
          ))}
        </span>
      )}
      <Step url={url} to={page < last ? page + 1 : null} rel="next" name="Next" />
    </nav>
  );
};

/** The first page, the last, and those next to the current one. */
const pagesAround = (page: number, last: number): number[] =>
  [...new Set([1, page - 1, page, page + 1, last])].filter((number) => number >= 1 && number <= last);

const Step = ({ url, to, rel, name }: { url: string; to: number | null; rel: string; name: string }) =>
  to === null ? null : (
    <a class="button quiet" rel={rel} href={withPage(url, to)}>
      {name}
    </a>
  );

function withPage(url: string, page: number): string {
  const { pathname, searchParams } = new URL(url);
  searchParams.set("page", String(page));
  return `${pathname}?${searchParams}`;
}

/** Bulk actions on a list's rows: the form and its fields. */
type Bulk = { form: FormState<"ids">; fields: Child };

type SelectionProps = { bulk: Bulk; filters: string; place: Page };

/** A table with selectable rows. Once a row is selected, the fields of the bulk actions show below, which moves no row. */
const SelectionForm = ({ bulk, filters, place, children }: PropsWithChildren<SelectionProps>) => {
  const { totalItems, totalIsExact, perPage } = place;
  const total = totalIsExact ? String(totalItems) : `(more than ${totalItems})`;
  return (
    <form method="post" action={bulk.form.action} class="selection" data-plain>
      <input type="hidden" name="once" value={crypto.randomUUID()} />
      <input type="hidden" name="filters" value={filters} />
      <input type="hidden" name="matched" value={total} />
      {children}
      <fieldset class="bulk card" aria-label="Action for the selected rows">
        <p>
          <output data-selected>Selected rows</output>
        </p>
        {totalItems > perPage && (
          <div class="check">
            <input type="checkbox" name="all" value="true" id="select-all-pages" />
            <label for="select-all-pages">All {total} in the list, on all pages</label>
          </div>
        )}
        <div class="fields">
          {bulk.fields}
          <div class="actions">
            <Button>Apply</Button>
          </div>
        </div>
      </fieldset>
    </form>
  );
};

/** The selection, in a form that is shown again. */
export const Selected = ({ form }: { form: FormState<"ids"> }) => {
  const { all, ids = [], matched = [] } = form.values;
  return (
    <>
      {["once", "filters", "matched", "all", "confirmed", "ids"].flatMap((name) =>
        (form.values[name] ?? []).map((value) => <input type="hidden" name={name} value={value} />),
      )}
      <p class="muted" id={idOf(form, "ids")} tabindex={-1}>
        {all ? `All ${matched} in the list` : `Selected: ${ids.length}`}
      </p>
    </>
  );
};
