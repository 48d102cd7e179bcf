import { type Context, Hono } from "hono";
import type { Child } from "hono/jsx";
import { IdParam } from "../domain/fields.ts";
import type { Input } from "../platform/administration/inputs.ts";
import { capitalized, type Resource } from "../platform/administration/resource.ts";
import { writeRequestOf } from "../platform/administration/write-queries.ts";
import { administer } from "../platform/auth/gates.ts";
import type { Versioned } from "../platform/db/precondition.ts";
import { type PageQuery, pageOf } from "../platform/http/pagination.ts";
import { validate } from "../platform/http/validate.ts";
import { etagOf } from "../platform/http/version.ts";
import type { PanelEnv } from "./env.ts";
import { redirectWithFlash } from "./flash.ts";
import { submit } from "./forms/attempt.ts";
import { type FormFields, Inputs, kindsOf, valuesOf } from "./forms/inputs.tsx";
import { readFilters } from "./forms/read-filters.ts";
import { type Failed, formFor } from "./forms/state.ts";
import { Allowed } from "./kit/allowed.tsx";
import { Button, LinkButton } from "./kit/buttons.tsx";
import { ConfirmButton } from "./kit/confirm-button.tsx";
import type { Filter } from "./kit/filter-bar.tsx";
import { Form } from "./kit/form.tsx";
import { Listing } from "./kit/listing.tsx";
import { PageHeader } from "./kit/page-header.tsx";
import type { Column } from "./kit/table.tsx";
import { page } from "./page.tsx";

type Pages<Row> = {
  /** The heading of the list. */
  title: string;
  /** What the buttons call one. */
  short: string;
  /** What a row is called: at the head of its page, and by what is said of it once it is written. */
  heading: (row: Row) => string;
  said: (row: Row) => string;
  /** The inputs that stand ahead of the others. */
  first?: readonly string[];
  filters?: Filter[];
  columns: Column<Row>[];
  none: { title: string; narrowed: string };
  /** What an empty list is for. */
  purpose: Child;
  /** What follows from a deletion. */
  deletion: string;
};

/** The panel's pages of a resource: its list, the form for a new one, and a row's own with its form and its deletion. */
export function resourcePages<Row extends Versioned & { name: string }, New, Change, Query extends PageQuery>(
  resource: Resource<Row, New, Change, Query, unknown> & {
    subject: string;
    fields: Record<string, FormFields[string] & { input: Input }>;
  },
  pages: Pages<Row>,
) {
  const { path, permission, names, schemas, fields } = resource;
  const { title, short, said, first = [] } = pages;
  const base = `/admin${path}`;
  const kinds = kindsOf(fields);
  const back = { path: base, name: title };
  const [mayRead, mayWrite] = [`${permission}:read`, `${permission}:write`] as const;

  async function listPage(c: Context<PanelEnv>) {
    const { query, form } = readFilters(c, schemas.query);
    const { rows, totalItems, totalIsExact } = await resource.list(c.var.db, query, Date.now());
    const place = pageOf(query, totalItems, totalIsExact);
    return page(
      c,
      title,
      <>
        <PageHeader title={title}>
          <Allowed to={mayWrite}>
            <LinkButton href={`${base}/new`} tone="primary">
              New {short}
            </LinkButton>
          </Allowed>
        </PageHeader>
        <Listing
          rows={rows}
          place={place}
          form={form}
          url={c.req.url}
          label={capitalized(names.many)}
          filters={pages.filters ?? []}
          columns={pages.columns}
          none={pages.none}
        >
          {pages.purpose}
        </Listing>
      </>,
    );
  }

  function newPage(c: Context<PanelEnv>, failed: Failed | null) {
    const form = formFor(failed, base, valuesOf(fields));
    return page(
      c,
      `New ${names.one}`,
      <>
        <PageHeader title={`New ${names.one}`} back={back} />
        <div class="card">
          <Form form={form}>
            <Inputs form={form} fields={fields} first={first} />
            <div class="actions">
              <Button>Create {short}</Button>
              <LinkButton href={base}>Cancel</LinkButton>
            </div>
          </Form>
        </div>
      </>,
    );
  }

  async function rowPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
    const row = await resource.require(c.var.db, id);
    const etag = etagOf(row.updatedAt);
    const form = formFor(failed, `${base}/${id}`, valuesOf(fields, row), etag);
    return page(
      c,
      row.name,
      <>
        <PageHeader title={pages.heading(row)} back={back}>
          <Allowed to="administrators">
            <LinkButton href={`/admin/audit-log?subject=${resource.subject}&subject_id=${id}`}>Audit log</LinkButton>
          </Allowed>
          <Allowed to={mayWrite}>
            <ConfirmButton
              form={formFor(failed, `${base}/${id}/delete`, {}, etag)}
              label="Delete"
              title={`Delete this ${short}?`}
              text={pages.deletion}
            />
          </Allowed>
        </PageHeader>
        <div class="card">
          <Form form={form} needs={mayWrite}>
            <Inputs form={form} fields={fields} first={first} />
            <Button>Save {short}</Button>
          </Form>
        </div>
      </>,
    );
  }

  return new Hono<PanelEnv>()
    .get(path, administer(mayRead), listPage)
    .post(path, administer(mayWrite), (c) =>
      submit(
        c,
        (failed) => newPage(c, failed),
        async (sent) => {
          const row = await resource.create(writeRequestOf(c, sent.ifMatch), sent.read(schemas.new, kinds));
          return redirectWithFlash(c, base, `${said(row)} was created.`);
        },
      ),
    )
    .get(`${path}/new`, administer(mayWrite), (c) => newPage(c, null))
    .get(`${path}/:id`, administer(mayRead), validate("param", IdParam), (c) =>
      rowPage(c, c.req.valid("param").id, null),
    )
    .post(`${path}/:id`, administer(mayWrite), validate("param", IdParam), (c) => {
      const { id } = c.req.valid("param");
      return submit(
        c,
        (failed) => rowPage(c, id, failed),
        async (sent) => {
          const change = sent.readChange(schemas.change, kinds);
          const row = await resource.change(writeRequestOf(c, sent.ifMatch), id, change);
          return redirectWithFlash(c, base, `${said(row)} was saved.`);
        },
      );
    })
    .post(`${path}/:id/delete`, administer(mayWrite), validate("param", IdParam), (c) => {
      const { id } = c.req.valid("param");
      return submit(
        c,
        (failed) => rowPage(c, id, failed),
        async (sent) => {
          await resource.remove(writeRequestOf(c, sent.ifMatch), id);
          return redirectWithFlash(c, base, `The ${short} was deleted.`);
        },
      );
    });
}
