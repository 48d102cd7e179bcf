import type { Context } from "hono";
import type { Child } from "hono/jsx";
import { readShop } from "../back-office/shop/shop.ts";
import type { DeclaredInput } from "../platform/administration/fields.ts";
import type { Resource } from "../platform/administration/resource.ts";
import type { Entry } from "../platform/audit/audit.ts";
import { writeContextOf } from "../platform/auth/caller.ts";
import { administer } from "../platform/auth/gates.ts";
import { readAll } from "../platform/auth/roles.ts";
import type { VersionedRow } from "../platform/db/statements.ts";
import type { PageQuery } from "../platform/http/pagination.ts";
import { etagOf } from "../platform/http/version.ts";
import { redirectWithFlash } from "./flash.ts";
import { type DeclaredFields, inputsOf, kindsOf, valuesOf } from "./forms/conversion.ts";
import { type Failed, type FormInputs, formFor } from "./forms/inputs.ts";
import type { FieldKind, Values } from "./forms/kinds.ts";
import { readFilters, type SentForm } from "./forms/read-form.ts";
import { AllFields } from "./kit/fields.tsx";
import { FormCard, NewPage, RowHeader } from "./kit/page-parts.tsx";
import type { Column } from "./kit/table.tsx";
import { listPage } from "./list-page.tsx";
import { type PanelEnv, page } from "./page.tsx";
import { type RowForms, recordPages } from "./record-pages.ts";

type Pages<Row, Filter extends string> = {
  /** Heading of the list. */
  title: string;
  /** Short name on buttons. */
  shortName: string;
  /** A row's name: in the heading of its page, and in the message after a write. */
  heading: (row: Row) => string;
  rowLabel: (row: Row) => string;
  /** Inputs to show first. */
  first?: readonly string[];
  filters?: FormInputs<Filter>;
  columns: Column<Row>[];
  none: { title: string; narrowed: string };
  /** Explanation in an empty list. */
  purpose: Child;
  /** Consequences of a deletion. */
  deletion: string;
  /** Further forms on a row's page, and what the page shows above its own form. */
  more?: { content: (c: Context<PanelEnv>, row: Row, failed: Failed | null) => Promise<Child>; forms: RowForms };
};

/** The panel's pages of a resource: the list, the form for a new row, and a row's page with its form and deletion. */
export function resourcePages<
  Row extends VersionedRow & { name: string },
  New,
  Change,
  Query extends PageQuery,
  Filter extends keyof Query & string = never,
>(
  resource: Omit<Resource<Row, New, Change, Query, unknown>, "toAnswer"> & {
    subject: Entry["subject"];
    fields: Record<string, DeclaredFields[string] & { input: DeclaredInput }>;
  },
  pages: Pages<Row, Filter>,
) {
  const { path, permission, names, subject, schemas, fields } = resource;
  const { title, shortName, rowLabel, first = [] } = pages;
  const inputs = inputsOf(fields);
  const base = `/admin${path}`;
  const mayWrite = `${permission}:write` as const;

  async function showList(c: Context<PanelEnv>) {
    const { query, form } = readFilters(c, schemas.query, pages.filters);
    return listPage(c, {
      noun: names.many,
      title,
      found: await resource.list(c.var.db, query, Date.now()),
      form,
      add: { label: `New ${shortName}`, needs: mayWrite },
      columns: pages.columns,
      none: pages.none,
      purpose: pages.purpose,
    });
  }

  async function newPage(c: Context<PanelEnv>, failed: Failed | null) {
    const { homeCountry } = await readShop(c.var.db, c.var.settings.email);
    const values = { ...valuesOf(fields), ...("country" in fields && { country: homeCountry }) };
    const form = formFor(failed, base, { inputs, values });
    return page(
      c,
      `New ${names.one}`,
      <NewPage form={form} button={`Create ${shortName}`}>
        <AllFields form={form} first={first} />
      </NewPage>,
    );
  }

  async function rowPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
    const row = await resource.require(c.var.db, id);
    const etag = etagOf(row.updatedAt);
    const form = formFor(failed, `${base}/${id}`, { inputs, values: valuesOf(fields, row), etag });
    return page(
      c,
      row.name,
      <>
        <RowHeader
          title={pages.heading(row)}
          audit={{ subject, id }}
          deletion={{
            form: formFor(failed, `${base}/${id}/delete`, { etag }),
            needs: mayWrite,
            title: `Delete this ${shortName}?`,
            text: pages.deletion,
          }}
        />
        {await pages.more?.content(c, row, failed)}
        <FormCard form={form} needs={mayWrite} button={`Save ${shortName}`}>
          <AllFields form={form} first={first} />
        </FormCard>
      </>,
    );
  }

  const forms = resourceForms(resource, {
    kinds: kindsOf(inputs),
    // The page of a new row has what comes next, if it has more than the row's form.
    after: (row, done) => [
      done === "created" && pages.more ? `${base}/${row.id}` : base,
      `${done === "deleted" ? `The ${shortName}` : rowLabel(row)} was ${done}.`,
    ],
  });
  return recordPages(path, {
    ...forms,
    listPage: showList,
    newPage,
    rowPage,
    forms: { ...forms.forms, ...pages.more?.forms },
  });
}

type Actions<Row> = {
  /** Converters of the form's fields. They may depend on the input. */
  kinds: Record<string, FieldKind> | ((values: Values) => Record<string, FieldKind>);
  /** Looks up names typed into pickers. */
  prepare?: (c: Context<PanelEnv>, sent: SentForm) => Promise<SentForm>;
  /** The page and message after a write. */
  after: (row: Row, done: "created" | "saved" | "deleted") => [path: string, message: string];
};

/** The forms of a resource for its `recordPages`: create, save and delete. */
export function resourceForms<Row extends VersionedRow, New, Change, Query extends PageQuery>(
  resource: Omit<Resource<Row, New, Change, Query, unknown>, "toAnswer">,
  { kinds, prepare = async (_, sent) => sent, after }: Actions<Row>,
) {
  const { permission, schemas } = resource;
  const kindsFor = ({ values }: SentForm) => (typeof kinds === "function" ? kinds(values) : kinds);
  return {
    reads: administer(readAll(permission)),
    writes: administer(`${permission}:write`),
    create: async (c: Context<PanelEnv>, sent: SentForm) => {
      const read = (await prepare(c, sent)).read(schemas.new, kindsFor(sent));
      const row = await resource.create(writeContextOf(c), read);
      return redirectWithFlash(c, ...after(row, "created"));
    },
    forms: {
      "": async (c, id, sent) => {
        const change = (await prepare(c, sent)).readChange(schemas.change, kindsFor(sent));
        const row = await resource.change(writeContextOf(c), { id, change, ifMatch: sent.ifMatch });
        return redirectWithFlash(c, ...after(row, "saved"));
      },
      "/delete": async (c, id, { ifMatch }) => {
        const row = await resource.remove(writeContextOf(c), { id, ifMatch });
        return redirectWithFlash(c, ...after(row, "deleted"));
      },
    } satisfies RowForms,
  };
}
