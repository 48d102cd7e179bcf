import { type Context, Hono } from "hono";
import { IdParam } from "../../domain/fields.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { administer, administrators } from "../../platform/auth/gates.ts";
import { PageQuery } from "../../platform/http/pagination.ts";
import { validate } from "../../platform/http/validate.ts";
import { cancelJob, listFailures, requireJob, undoJob } from "../../platform/jobs/jobs.ts";
import { startInBackground } from "../../platform/jobs/start.ts";
import { redirectWithFlash } from "../flash.ts";
import type { Failed } from "../forms/inputs.ts";
import { readFilters } from "../forms/read-form.ts";
import { ViewedBy } from "../kit/allowed.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { recordPages } from "../record-pages.ts";
import { readNames } from "../references.ts";
import { failedItemsPage, subjectOf } from "./failures.tsx";
import { JOBS, JobPage, jobsPage, Progress } from "./pages.tsx";
import { jobTitle } from "./words.ts";

const reads = administer("jobs:read");

export const jobPages = new Hono<PanelEnv>()
  .get("/jobs/failed-items", administrators, failedItemsPage)
  .get("/jobs/:id/progress", reads, validate("param", IdParam), async (c) => {
    const job = await requireJob(c.var.db, c.var.caller, c.req.valid("param").id);
    return c.html(
      <ViewedBy value={c.var.identity}>
        <Progress job={job} />
      </ViewedBy>,
    );
  })
  .route(
    "/",
    recordPages("/jobs", {
      reads,
      writes: administer("jobs:write"),
      listPage: jobsPage,
      rowPage: jobPage,
      forms: {
        "/cancel": async (c, id) => {
          await cancelJob(writeContextOf(c), id);
          return "The job was cancelled.";
        },
        "/undo": async (c, id) => {
          const undo = await undoJob(writeContextOf(c), id);
          startInBackground(c, undo.id);
          return redirectWithFlash(c, `${JOBS}/${undo.id}`, "The job is being undone.");
        },
      },
    }),
  );

async function jobPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const job = await requireJob(c.var.db, c.var.caller, id);
  const { query } = readFilters(c, PageQuery);
  const { rows, ...place } = await listFailures(c.var.db, id, query);
  const names = await readNames(c.var.db, [job.createdBy, ...rows.map((row) => subjectOf(job, row))]);
  const props = { job, failures: { rows, place }, names, url: c.req.url, failed };
  return page(c, jobTitle(job), <JobPage {...props} />);
}
