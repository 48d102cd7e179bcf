import { Hono } from "hono";
import { checkAgain, createImport, startImport } from "../../back-office/imports/imports.ts";
import { ReadAs } from "../../back-office/imports/schemas.ts";
import { receiveUpload } from "../../downloads/files/uploads/upload-form.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import type { ImportResource } from "../../platform/db/schema.ts";
import { runToCompletion } from "../../platform/http/background.ts";
import { startInBackground } from "../../platform/jobs/start.ts";
import { submitFile } from "../forms/attempt.ts";
import { kindsOf } from "../forms/conversion.ts";
import { csvResponse } from "../kit/csv-response.ts";
import type { PanelEnv } from "../page.tsx";
import { recordPages } from "../record-pages.ts";
import { importPage, importsPage, listOf } from "./pages.tsx";
import { chosenColumns, readAsInputs } from "./reading.tsx";
import { importTemplates } from "./templates.ts";

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
    .get(`/imports/${resource}/template`, administer(permission), () =>
      csvResponse(`${resource}-template`, importTemplates[resource]),
    )
    .route(
      "/",
      recordPages(`/imports/${resource}`, {
        reads: administer(permission),
        writes: administer(permission),
        listPage: (c, failed) => importsPage(c, resource, failed),
        rowPage: (c, id, failed) => importPage(c, resource, id, failed),
        forms: {
          "/check": async (c, id, { read, values }) => {
            const readAs = read(ReadAs, { ...kindsOf(readAsInputs), column_fields: () => chosenColumns(values) });
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
