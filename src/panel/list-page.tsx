import type { Context } from "hono";
import type { Child } from "hono/jsx";
import type { PageOf } from "../platform/db/page.ts";
import { Allowed, type Needed } from "./kit/allowed.tsx";
import { LinkButton } from "./kit/form.tsx";
import { ListPage, type ListProps } from "./kit/listing.tsx";
import { PageHeader } from "./kit/page-parts.tsx";
import { type PanelEnv, page } from "./page.tsx";

type List<Row> = Omit<ListProps<Row>, "rows" | "place" | "url" | "label"> & {
  title: string;
  /** Label of the table, if it is not the title. */
  label?: string;
  back?: { path: string; name: string };
  found: PageOf<Row>;
  /** The main button, which leads to the form for a new row. */
  add?: { path?: string; label: string; needs: Needed };
  /** Further buttons, before it. */
  actions?: Child;
  /** Shown above the filters. */
  above?: Child;
  /** Explains an empty list. */
  purpose: Child;
};

/** The page of a list: its title with buttons, filters, rows and pagination. */
export function listPage<Row>(
  c: Context<PanelEnv>,
  { title, label = title, back, found: { rows, ...place }, add, actions, above, purpose, ...list }: List<Row>,
) {
  return page(
    c,
    title,
    <>
      <PageHeader title={title} {...(back && { back })}>
        {(add || actions) && (
          <>
            {actions}
            {add && (
              <Allowed to={add.needs}>
                <LinkButton href={add.path ?? `${list.form.action}/new`} tone="primary">
                  {add.label}
                </LinkButton>
              </Allowed>
            )}
          </>
        )}
      </PageHeader>
      {above}
      <ListPage {...list} rows={rows} place={place} url={c.req.url} label={label}>
        {purpose}
      </ListPage>
    </>,
  );
}
