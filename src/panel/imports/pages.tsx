import type { Context } from "hono";
import { listImports, requireImportOf } from "../../back-office/imports/imports.ts";
import { countRows, type ImportRow, stateOf } from "../../back-office/imports/schemas.ts";
import type { ImportResource, LeftOutColumn } from "../../platform/db/schema.ts";
import { PageQuery } from "../../platform/http/pagination.ts";
import { groupFailures, listFailures, requireJob } from "../../platform/jobs/jobs.ts";
import { canUndo, isOpen } from "../../platform/jobs/schemas.ts";
import { type Failed, fieldLabel, formFor } from "../forms/inputs.ts";
import { readFilters } from "../forms/read-form.ts";
import { Failures } from "../jobs/failures.tsx";
import { LiveProgress } from "../jobs/pages.tsx";
import { When } from "../kit/dates.tsx";
import { Field } from "../kit/fields.tsx";
import { Button, Form } from "../kit/form.tsx";
import { Pagination } from "../kit/listing.tsx";
import { Card, PageHeader } from "../kit/page-parts.tsx";
import { Table } from "../kit/table.tsx";
import { Badge, DescriptionList } from "../kit/values.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { columnField, columnInputs, isDoubtful, ReadingOptions, readAsInputs } from "./reading.tsx";

export const listOf = (resource: ImportResource): string => `/admin/imports/${resource}`;

const sections = {
  products: { path: "/admin/products", name: "Products" },
  customers: { path: "/admin/customers", name: "Customers" },
} as const satisfies Record<ImportResource, { path: string; name: string }>;

const hints: Record<ImportResource, string> = {
  products: "A product export from WooCommerce or Shopify, or a CSV or JSON file like the exports of this shop.",
  customers: "A CSV or JSON file like this shop's exports. Customers are matched by e-mail and get no password.",
};

export async function importsPage(c: Context<PanelEnv>, resource: ImportResource, failed: Failed | null) {
  const { query } = readFilters(c, PageQuery);
  const { rows, ...place } = await listImports(c.var.db, resource, query);
  const form = formFor(failed, listOf(resource), {
    inputs: { file: { as: "file", label: "File", hint: `${hints[resource]} Up to 100 MB.`, required: true } },
  });
  return page(
    c,
    `Import ${resource}`,
    <>
      <PageHeader back={sections[resource]} />
      <div class="editor">
        <Card title="Choose a file">
          <Form form={form} plain multipart>
            <div class="drop">
              <Field form={form} name="file" />
            </div>
            <div class="actions">
              <Button>Check file</Button>
              <a class="button quiet" href={`${listOf(resource)}/template`} data-plain>
                Download template
              </a>
            </div>
          </Form>
        </Card>
        <Card title="How it works">
          <ul class="ticked">
            <li>The file is checked first. Nothing changes.</li>
            <li>You see what is new, what changes and which rows are refused, with the reason.</li>
            <li>You start the import, and can undo it afterwards.</li>
          </ul>
        </Card>
      </div>
      {rows.length > 0 && (
        <Card title="Earlier imports">
          <Table
            label="Imports"
            phone="lines"
            rows={rows}
            columns={[
              { title: "File", cell: (row) => <a href={`${listOf(resource)}/${row.id}`}>{row.fileName}</a> },
              { title: "State", cell: (row) => <Badge status={stateOf(row)} /> },
              { title: "Rows", numeric: true, cell: ({ total }) => total?.toLocaleString("en") ?? null },
              { title: "Uploaded", cell: ({ createdAt }) => <When at={createdAt} /> },
            ]}
          />
          <Pagination page={place} url={c.req.url} />
        </Card>
      )}
    </>,
  );
}

export async function importPage(c: Context<PanelEnv>, resource: ImportResource, id: number, failed: Failed | null) {
  const { db, caller } = c.var;
  const row = await requireImportOf(db, resource, id);
  const { query } = readFilters(c, PageQuery);
  const job = await requireJob(db, caller, row.jobId ?? row.checkJobId);
  const [{ rows, ...place }, groups] = await Promise.all([
    listFailures(db, job.id, query),
    job.failed + job.warnings > 1 ? groupFailures(db, job.id) : [],
  ]);
  const { toCreate, toUpdate, unchanged, skipped, checkFailed } = row;
  const path = `${listOf(resource)}/${row.id}`;
  const writes = toCreate + toUpdate;
  const start = formFor(failed, `${path}/start`);
  const chosen = Object.entries(row.columnFields).map(([name, field]) => [columnField(name), field ?? ""]);
  const again = formFor(failed, `${path}/check`, {
    inputs: { ...readAsInputs, ...columnInputs(row) },
    values: {
      ...Object.fromEntries(chosen),
      encoding: row.chosenEncoding,
      decimal_separator: row.decimalSeparator,
    },
  });
  const reading = <ReadingOptions row={row} form={again} />;
  return page(
    c,
    row.fileName,
    <>
      <PageHeader back={{ path: listOf(resource), name: `Import ${resource}` }} />
      {isDoubtful(row) && reading}
      <Card title={row.jobId === null ? "What will change" : "What changed"}>
        <LiveProgress job={job} />
        <DescriptionList
          facts={{
            "Rows in the file": countRows(row)?.toLocaleString("en"),
            New: toCreate.toLocaleString("en"),
            Updated: toUpdate.toLocaleString("en"),
            Unchanged: unchanged.toLocaleString("en"),
            Skipped: skipped > 0 ? skipped.toLocaleString("en") : undefined,
            Refused: checkFailed.toLocaleString("en"),
          }}
        />
        {skipped > 0 && (
          <p class="muted">Skipped rows belong to other rows, such as parents of variations and additional pictures.</p>
        )}
        {row.format !== null && <LeftOut columns={row.leftOut} />}
        {stateOf(row) === "ready" && writes > 0 && (
          <Form form={start}>
            <Button>
              Import {writes.toLocaleString("en")} {writes === 1 ? resource.replace(/s$/, "") : resource}
            </Button>
          </Form>
        )}
        {row.jobId !== null && !isOpen(job) && (
          <p>
            <a href={`/admin/jobs/${row.jobId}`}>
              {canUndo(job) ? "View or undo the import job" : "View the import job"}
            </a>
          </p>
        )}
      </Card>
      {!isDoubtful(row) && reading}
      <Samples row={row} />
      <Failures {...{ job, rows, place, groups }} url={c.req.url} counted={job.failed + job.warnings} />
    </>,
  );
}

const LeftOut = ({ columns }: { columns: LeftOutColumn[] }) =>
  columns.length === 0 ? null : (
    <p class="muted">
      Columns without a matching field are not imported (number of rows with a value):{" "}
      {columns.map(({ column, rows }) => `${column} (${rows.toLocaleString("en")})`).join(", ")}.
    </p>
  );

const Samples = ({ row: { samples } }: { row: ImportRow }) =>
  samples.length === 0 ? null : (
    <Card title="First changes">
      <Table
        label="First changes"
        rows={samples}
        columns={[
          { title: "Row", cell: ({ line }) => <span class="nowrap">line {line}</span> },
          { title: "Name", cell: ({ name }) => name },
          { title: "What", cell: ({ action }) => <Badge status={action === "create" ? "new" : "updated"} /> },
          { title: "Changes", cell: ({ changes }) => Object.keys(changes).map(fieldLabel).join(", ") || null },
        ]}
      />
    </Card>
  );
