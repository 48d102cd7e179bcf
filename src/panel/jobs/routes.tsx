import { type Context, Hono } from "hono";
import { IdParam } from "../../domain/fields.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { administer, administrators } from "../../platform/auth/gates.ts";
import { PageQuery } from "../../platform/http/pagination.ts";
import { validate } from "../../platform/http/validate.ts";
import { cancelJob, listFailures, listJobs, requireJob, undoJob } from "../../platform/jobs/jobs.ts";
import { JobsQuery, readableKinds } from "../../platform/jobs/schemas.ts";
import { startInBackground } from "../../platform/jobs/start.ts";
import { FailedItemsQuery, listFailedItems } from "../../platform/queues/failed-items.ts";
import { redirectWithFlash } from "../flash.ts";
import { submitRow } from "../forms/attempt.ts";
import type { Failed } from "../forms/inputs.ts";
import { readFilters } from "../forms/read-form.ts";
import { ViewedBy } from "../kit/allowed.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { readNames } from "../references.ts";
import { FailedItemsPage, failedItemFilters, referenceTo, subjectOf } from "./failures.tsx";
import { JOBS, JobPage, JobsPage, jobFilters, Progress } from "./pages.tsx";
import { jobTitle } from "./words.ts";

const [reads, writes] = [administer("jobs:read"), administer("jobs:write")];

export const jobPages = new Hono<PanelEnv>()
  .get("/jobs", reads, async (c) => {
    const kinds = readableKinds(c.var.caller);
    const { query, form } = readFilters(c, JobsQuery, jobFilters(kinds));
    const { rows, ...place } = await listJobs(c.var.db, query, kinds);
    const names = await readNames(
      c.var.db,
      rows.map(({ createdBy }) => createdBy),
    );
    const props = { rows, place, form, url: c.req.url, names };
    return page(c, "Jobs", <JobsPage {...props} />);
  })
  .get("/jobs/failed-items", administrators, async (c) => {
    const { query, form } = readFilters(c, FailedItemsQuery, failedItemFilters);
    const { rows, ...place } = await listFailedItems(c.var.db, query);
    const names = await readNames(c.var.db, rows.map(referenceTo));
    const props = { rows, place, form, url: c.req.url, names };
    return page(c, "Failing work", <FailedItemsPage {...props} />);
  })
  .get("/jobs/:id", reads, validate("param", IdParam), (c) => jobPage(c, c.req.valid("param").id, null))
  .get("/jobs/:id/progress", reads, validate("param", IdParam), async (c) => {
    const job = await requireJob(c.var.db, c.var.caller, c.req.valid("param").id);
    return c.html(
      <ViewedBy value={c.var.identity}>
        <Progress job={job} />
      </ViewedBy>,
    );
  })
  .post(
    "/jobs/:id/cancel",
    writes,
    submitRow(jobPage, async (c, id) => {
      await cancelJob(writeContextOf(c), id);
      return redirectWithFlash(c, `${JOBS}/${id}`, "The job was cancelled.");
    }),
  )
  .post(
    "/jobs/:id/undo",
    writes,
    submitRow(jobPage, async (c, id) => {
      const undo = await undoJob(writeContextOf(c), id);
      startInBackground(c, undo.id);
      return redirectWithFlash(c, `${JOBS}/${undo.id}`, "The job is being undone.");
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
