import type { Context } from "hono";
import type { Child } from "hono/jsx";
import { capitalized } from "../platform/administration/resource.ts";
import type { PageOf } from "../platform/db/page.ts";
import { isFiltered } from "./forms/inputs.ts";
import type { Need } from "./kit/allowed.tsx";
import { type Views, ViewTabs } from "./kit/filters.tsx";
import { LinkButton } from "./kit/form.tsx";
import { ListPage, type ListProps } from "./kit/listing.tsx";
import { PageHeader } from "./kit/page-parts.tsx";
import { type PanelEnv, page } from "./page.tsx";
import { SpanTabs } from "./sales/span-form.tsx";

type List<Row> = Omit<ListProps<Row>, "rows" | "place" | "url" | "label" | "none" | "add"> & {
  /** Names the rows, such as "orders". */
  noun: string;
  /** Title of the page, if it is not the noun. */
  title?: string;
  none?: ListProps<Row>["none"];
  found: PageOf<Row>;
  views?: Views;
  /** The main button, which leads to the form for a new row. An empty list has it in its middle. */
  add?: { path?: string; label: string; needs: Need };
  /** The button in the middle of an empty list that has no form for a new row. */
  start?: { path: string; label: string; needs: Need };
  /** Further buttons, before it. */
  actions?: Child;
  /** True for a list of some days, above which common periods are offered. */
  days?: true;
  /** Shown above the filters. */
  above?: Child;
  /** Explains an empty list. */
  purpose: Child;
};

/** The page of a list: its title with buttons, filters, rows and pagination. */
export function listPage<Row>(
  c: Context<PanelEnv>,
  {
    noun,
    title = capitalized(noun),
    found: { rows, ...place },
    views,
    add,
    start,
    actions,
    days,
    above,
    purpose,
    ...list
  }: List<Row>,
) {
  const { none = { title: `No ${noun} yet`, narrowed: `No matching ${noun}` } } = list;
  const main = add ?? start;
  const button = main && (
    <LinkButton needs={main.needs} href={main.path ?? `${list.form.action}/new`} tone="primary">
      {main.label}
    </LinkButton>
  );
  const isEmpty = place.totalItems === 0 && !isFiltered(list.form);
  const [[from], [to]] = [list.form.values.from ?? [], list.form.values.to ?? []];
  return page(
    c,
    title,
    <>
      <PageHeader beside={views && !isEmpty && <ViewTabs form={list.form} views={views} />}>
        {(add || actions) && (
          <>
            {actions}
            {!isEmpty && add && button}
          </>
        )}
      </PageHeader>
      {days && !isEmpty && <SpanTabs form={list.form} span={from && to ? { from, to } : null} now={Date.now()} />}
      {above}
      <ListPage {...{ ...list, rows, place, none }} add={button} url={c.req.url} label={capitalized(noun)}>
        {purpose}
      </ListPage>
    </>,
  );
}
