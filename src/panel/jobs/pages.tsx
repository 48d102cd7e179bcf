import type { Context } from "hono";
import { type JobKind, jobStates } from "../../platform/db/schema.ts";
import { PageQuery } from "../../platform/http/pagination.ts";
import { listFailures, listJobs, requireJob } from "../../platform/jobs/jobs.ts";
import { canUndo, isOpen, type JobRow, JobsQuery, readableKinds, resourceOf } from "../../platform/jobs/schemas.ts";
import { type Failed, type FormInputs, formFor } from "../forms/inputs.ts";
import { readFilters } from "../forms/read-form.ts";
import { Allowed } from "../kit/allowed.tsx";
import { When } from "../kit/dates.tsx";
import { choiceFilter, labelled, ownLabels } from "../kit/filters.tsx";
import { ConfirmButton, LinkButton } from "../kit/form.tsx";
import { Live, PageHeader } from "../kit/page-parts.tsx";
import { Badge, DescriptionList, Reference } from "../kit/values.tsx";
import { listPage } from "../list-page.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { readNames } from "../references.ts";
import { Failures, subjectOf } from "./failures.tsx";
import { jobTitle, kindWords } from "./words.ts";

export const JOBS = "/admin/jobs";

const jobFilters = (kinds: JobKind[]) =>
  ({
    kind: choiceFilter(
      "Kind",
      labelled(kinds, (kind) => kindWords[kind]),
    ),
    state: choiceFilter("State", ownLabels(jobStates)),
  }) satisfies FormInputs;

export async function jobsPage(c: Context<PanelEnv>) {
  const kinds = readableKinds(c.var.caller);
  const { query, form } = readFilters(c, JobsQuery, jobFilters(kinds));
  const found = await listJobs(c.var.db, query, kinds);
  const names = await readNames(
    c.var.db,
    found.rows.map(({ createdBy }) => createdBy),
  );
  return listPage(c, {
    noun: "jobs",
    actions: (
      <LinkButton needs="administrators" href={`${JOBS}/failed-items`}>
        Failing work
      </LinkButton>
    ),
    found,
    form,
    columns: [
      { title: "Job", cell: (job) => <a href={`${JOBS}/${job.id}`}>{jobTitle(job)}</a> },
      { title: "State", cell: (job) => <JobStateLabel {...job} /> },
      { title: "Rows", cell: rowsOf },
      { title: "By", phone: "none", cell: ({ createdBy }) => <Reference to={createdBy} names={names} /> },
      { title: "Begun", cell: ({ createdAt }) => <When at={createdAt} brief /> },
    ],
    start: { path: "/admin/imports/products", label: "Import products", needs: "products:write" },
    purpose: "Imports, and changes to many products, orders or customers at once, appear here. You can undo them.",
  });
}

const count = (rows: number): string => rows.toLocaleString("en");

const rowsOf = ({ done, failed }: JobRow): string =>
  [`${count(done)} done`, ...(failed > 0 ? [`${count(failed)} failed`] : [])].join(", ");

export async function jobPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const job = await requireJob(c.var.db, c.var.caller, id);
  const { query } = readFilters(c, PageQuery);
  const { rows, ...place } = await listFailures(c.var.db, id, query);
  const names = await readNames(c.var.db, [job.createdBy, ...rows.map((row) => subjectOf(job, row))]);
  const path = `${JOBS}/${id}`;
  const needs = `${resourceOf[job.kind]}:write` as const;
  return page(
    c,
    jobTitle(job),
    <>
      <PageHeader>
        <Allowed to="jobs:write">
          <Allowed to={needs}>
            {isOpen(job) && (
              <ConfirmButton
                form={formFor(failed, `${path}/cancel`)}
                label="Cancel"
                action="Cancel the job"
                title="Cancel this job?"
                text="Completed changes stay. You can undo them if the job supports it."
              />
            )}
            {canUndo(job) && (
              <ConfirmButton
                form={formFor(failed, `${path}/undo`)}
                label="Undo"
                title="Undo this job?"
                text="Deletes what the job created (sold products become drafts) and restores what it changed. Rows edited since then stay as they are."
              />
            )}
          </Allowed>
        </Allowed>
      </PageHeader>
      <section class="card">
        <LiveProgress job={job} />
        <DescriptionList
          facts={{
            By: <Reference to={job.createdBy} names={names} />,
            Begun: <When at={job.createdAt} />,
            Ended: <When at={job.finishedAt} />,
            Undoes: job.undoOf === null ? undefined : <a href={`${JOBS}/${job.undoOf}`}>the earlier job</a>,
            "Undone by": job.undoneBy === null ? undefined : <a href={`${JOBS}/${job.undoneBy}`}>a later job</a>,
          }}
        />
      </section>
      <Failures {...{ job, rows, place, names }} url={c.req.url} counted={job.failed + job.warnings} />
    </>,
  );
}

/** The progress of a job. A finished job tells the page to reload. */
export const Progress = ({ job }: { job: JobRow }) => {
  const { done, failed, warnings, total } = job;
  const seen = done + failed;
  return (
    <div data-over={isOpen(job) ? undefined : ""}>
      <p>
        <JobStateLabel {...job} /> {total === null ? "Counting rows…" : `${count(seen)} of ${count(total)} rows`}
        {failed > 0 && `, of which ${count(failed)} failed`}
        {warnings > 0 && `, ${count(warnings)} with a warning`}
      </p>
      {isOpen(job) && <progress aria-label="Progress" max={total ?? 1} value={total === null ? undefined : seen} />}
    </div>
  );
};

/** The progress of a job, refreshed by the script or the browser while it runs. */
export const LiveProgress = ({ job }: { job: JobRow }) =>
  isOpen(job) ? (
    <>
      <Live id="progress" src={`/admin/jobs/${job.id}/progress`} seconds={2}>
        <Progress job={job} />
      </Live>
      <noscript>
        <meta http-equiv="refresh" content="5" />
      </noscript>
    </>
  ) : (
    <div id="progress">
      <Progress job={job} />
    </div>
  );

/** The state of a job, and whether rows of a completed job failed. */
export const JobStateLabel = ({ state, done, failed }: Pick<JobRow, "state" | "done" | "failed">) => {
  if (state !== "completed" || failed === 0) return <Badge status={state} />;
  return <Badge status={done === 0 ? "failed" : "completed with failures"} />;
};
