import type { Context } from "hono";
import { type JobKind, jobStates } from "../../platform/db/schema.ts";
import type { Page } from "../../platform/http/pagination.ts";
import { listJobs } from "../../platform/jobs/jobs.ts";
import {
  canUndo,
  isOpen,
  type JobRow,
  JobsQuery,
  type JobWithUndo,
  readableKinds,
  resourceOf,
} from "../../platform/jobs/schemas.ts";
import { type Failed, type FormInputs, formFor } from "../forms/inputs.ts";
import { readFilters } from "../forms/read-form.ts";
import { Allowed } from "../kit/allowed.tsx";
import { When } from "../kit/dates.tsx";
import { choiceFilter, ownLabels } from "../kit/filters.tsx";
import { ConfirmButton, LinkButton } from "../kit/form.tsx";
import { Live, PageHeader } from "../kit/page-parts.tsx";
import { Badge, DescriptionList, Reference } from "../kit/values.tsx";
import { listPage } from "../list-page.tsx";
import type { PanelEnv } from "../page.tsx";
import { type Names, readNames } from "../references.ts";
import { type FailureRow, Failures } from "./failures.tsx";
import { jobTitle, kindWords } from "./words.ts";

export const JOBS = "/admin/jobs";

const jobFilters = (kinds: JobKind[]) =>
  ({
    kind: choiceFilter(
      "Kind",
      kinds.map((kind) => [kind, kindWords[kind]] as const),
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
    title: "Jobs",
    actions: (
      <Allowed to="administrators">
        <LinkButton href={`${JOBS}/failed-items`}>Failing work</LinkButton>
      </Allowed>
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
    none: { title: "No jobs yet", narrowed: "No matching jobs" },
    purpose: "Imports and changes of many rows run as jobs. Follow their progress here, and undo them.",
  });
}

const count = (rows: number): string => rows.toLocaleString("en");

const rowsOf = ({ done, failed }: JobRow): string =>
  [`${count(done)} done`, ...(failed > 0 ? [`${count(failed)} failed`] : [])].join(", ");

type JobPageProps = {
  job: JobWithUndo;
  failures: { rows: FailureRow[]; place: Page };
  names: Names;
  url: string;
  failed: Failed | null;
};

export const JobPage = ({ job, failures, names, url, failed }: JobPageProps) => {
  const path = `${JOBS}/${job.id}`;
  const needs = `${resourceOf[job.kind]}:write` as const;
  return (
    <>
      <PageHeader title={jobTitle(job)} back={{ path: JOBS, name: "Jobs" }}>
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
      <Failures {...failures} job={job} names={names} url={url} counted={job.failed + job.warnings} />
    </>
  );
};

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
