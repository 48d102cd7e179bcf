import { type Context, Hono } from "hono";
import {
  checkAgain,
  createImport,
  listImports,
  requireImportOf,
  startImport,
} from "../../back-office/imports/imports.ts";
import { ReadAs } from "../../back-office/imports/schemas.ts";
import { receiveUpload } from "../../downloads/files/uploads/upload-form.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import type { ImportResource } from "../../platform/db/schema.ts";
import { runToCompletion } from "../../platform/http/background.ts";
import { PageQuery } from "../../platform/http/pagination.ts";
import { groupFailures, listFailures, requireJob } from "../../platform/jobs/jobs.ts";
import { startInBackground } from "../../platform/jobs/start.ts";
import { submitFile } from "../forms/attempt.ts";
import { kindsOf } from "../forms/conversion.ts";
import type { Failed } from "../forms/inputs.ts";
import { readFilters } from "../forms/read-form.ts";
import { type PanelEnv, page } from "../page.tsx";
import { recordPages } from "../record-pages.ts";
import { ImportPage, ImportsPage, listOf, readAsInputs } from "./pages.tsx";

const importsOf = (resource: ImportResource, permission: "products:write" | "users:write") =>
  new Hono<PanelEnv>()
    .post(`/imports/${resource}`, administer(permission), (c) =>
      submitFile(
        c,
        (failed) => importsPage(c, resource, failed),
        async (values) => {
          const upload = receiveUpload(
            c.req.raw,
            (_, file) => createImport(writeContextOf(c), { resource, file, readAs: {} }),
            values,
          );
          const row = await runToCompletion(c, upload);
          startInBackground(c, row.checkJobId);
          return c.redirect(`${listOf(resource)}/${row.id}`, 303);
        },
      ),
    )
    .route(
      "/",
      recordPages(`/imports/${resource}`, {
        reads: administer(permission),
        writes: administer(permission),
        listPage: (c, failed) => importsPage(c, resource, failed),
        rowPage: (c, id, failed) => importPage(c, resource, id, failed),
        forms: {
          "/check": async (c, id, { read }) => {
            const readAs = read(ReadAs, kindsOf(readAsInputs));
            const row = await checkAgain(writeContextOf(c), { resource, id, readAs });
            startInBackground(c, row.checkJobId);
            return c.redirect(`${listOf(resource)}/${id}`, 303);
          },
          "/start": async (c, id) => {
            const { jobId } = await startImport(writeContextOf(c), { resource, id });
            if (jobId !== null) startInBackground(c, jobId);
            return "The import has started.";
          },
        },
      }),
    );

export const importPages = new Hono<PanelEnv>()
  .route("/", importsOf("products", "products:write"))
  .route("/", importsOf("customers", "users:write"));

async function importsPage(c: Context<PanelEnv>, resource: ImportResource, failed: Failed | null) {
  const { query } = readFilters(c, PageQuery);
  const { rows, ...place } = await listImports(c.var.db, resource, query);
  const props = { resource, rows, place, url: c.req.url, failed };
  return page(c, `Import ${resource}`, <ImportsPage {...props} />);
}

async function importPage(c: Context<PanelEnv>, resource: ImportResource, id: number, failed: Failed | null) {
  const row = await requireImportOf(c.var.db, resource, id);
  const { query } = readFilters(c, PageQuery);
  const job = await requireJob(c.var.db, c.var.caller, row.jobId ?? row.checkJobId);
  const [{ rows, ...place }, groups] = await Promise.all([
    listFailures(c.var.db, job.id, query),
    job.failed + job.warnings > 1 ? groupFailures(c.var.db, job.id) : [],
  ]);
  const props = { row, job, failures: { rows, place, groups }, url: c.req.url, failed };
  return page(c, row.fileName, <ImportPage {...props} />);
}
