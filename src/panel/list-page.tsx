import type { Context } from "hono";
import type { Child } from "hono/jsx";
import { capitalized } from "../platform/administration/resource.ts";
import type { PageOf } from "../platform/db/page.ts";
import { Allowed, type Needed } from "./kit/allowed.tsx";
import { LinkButton } from "./kit/form.tsx";
import { ListPage, type ListProps } from "./kit/listing.tsx";
import { PageHeader } from "./kit/page-parts.tsx";
import { type PanelEnv, page } from "./page.tsx";

type List<Row> = Omit<ListProps<Row>, "rows" | "place" | "url" | "label" | "none"> & {
  /** Names the rows, such as "orders". */
  noun: string;
  /** Title of the page, if it is not the noun. */
  title?: string;
  none?: ListProps<Row>["none"];
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
  {
    noun,
    title = capitalized(noun),
    back,
    found: { rows, ...place },
    add,
    actions,
    above,
    purpose,
    ...list
  }: List<Row>,
) {
  const { none = { title: `No ${noun} yet`, narrowed: `No matching ${noun}` } } = list;
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
      <ListPage {...{ ...list, rows, place, none }} url={c.req.url} label={capitalized(noun)}>
        {purpose}
      </ListPage>
    </>,
  );
}
