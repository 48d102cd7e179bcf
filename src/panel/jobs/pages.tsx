import { type JobKind, jobStates } from "../../platform/db/schema.ts";
import type { Page } from "../../platform/http/pagination.ts";
import { canUndo, isOpen, type JobWithUndo, resourceOf } from "../../platform/jobs/schemas.ts";
import type { FormInputs } from "../forms/inputs.ts";
import { type Failed, formFor } from "../forms/state.ts";
import { Allowed } from "../kit/allowed.tsx";
import { LinkButton } from "../kit/buttons.tsx";
import { ConfirmButton } from "../kit/confirm-button.tsx";
import { DescriptionList } from "../kit/description-list.tsx";
import { choiceFilter, ownLabels } from "../kit/filter-bar.tsx";
import { Listing, type ListProps } from "../kit/listing.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { When } from "../kit/when.tsx";
import type { Names } from "../references/names.ts";
import { Reference } from "../references/reference.tsx";
import { type FailureRow, Failures } from "./failures.tsx";
import { JobState, LiveProgress } from "./progress.tsx";
import { jobTitle, kindWords } from "./words.ts";

export const LIST = "/admin/jobs";

type ListPageProps = ListProps<JobWithUndo> & { names: Names };

export const jobFilters = (kinds: JobKind[]) =>
  ({
    kind: choiceFilter(
      "Kind",
      kinds.map((kind) => [kind, kindWords[kind]] as const),
    ),
    state: choiceFilter("State", ownLabels(jobStates)),
  }) satisfies FormInputs;

export const JobsPage = ({ names, ...list }: ListPageProps) => (
  <>
    <PageHeader title="Jobs">
      <Allowed to="administrators">
        <LinkButton href={`${LIST}/failed-items`}>Failing work</LinkButton>
      </Allowed>
      <Allowed to="products:write">
        <LinkButton href="/admin/imports/products">Import products</LinkButton>
      </Allowed>
      <Allowed to="users:write">
        <LinkButton href="/admin/imports/customers">Import customers</LinkButton>
      </Allowed>
    </PageHeader>
    <Listing
      {...list}
      label="Jobs"
      columns={[
        { title: "Job", cell: (job) => <a href={`${LIST}/${job.id}`}>{jobTitle(job)}</a> },
        { title: "State", cell: (job) => <JobState {...job} /> },
        { title: "Done", numeric: true, cell: ({ done }) => done.toLocaleString("en") },
        { title: "Failed", numeric: true, cell: ({ failed }) => (failed > 0 ? failed.toLocaleString("en") : null) },
        { title: "By", cell: ({ createdBy }) => <Reference to={createdBy} names={names} /> },
        { title: "Begun", cell: ({ createdAt }) => <When at={createdAt} /> },
      ]}
      none={{ title: "No jobs yet", narrowed: "No matching jobs" }}
    >
      Long-running work, such as imports, appears here with its progress.
    </Listing>
  </>
);

type JobPageProps = {
  job: JobWithUndo;
  failures: { rows: FailureRow[]; place: Page };
  names: Names;
  url: string;
  failed: Failed | null;
};

export const JobPage = ({ job, failures, names, url, failed }: JobPageProps) => {
  const path = `${LIST}/${job.id}`;
  const needs = `${resourceOf[job.kind]}:write` as const;
  return (
    <>
      <PageHeader title={jobTitle(job)} back={{ path: LIST, name: "Jobs" }}>
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
            Undoes: job.undoOf === null ? undefined : <a href={`${LIST}/${job.undoOf}`}>Job {job.undoOf}</a>,
            "Undone by": job.undoneBy === null ? undefined : <a href={`${LIST}/${job.undoneBy}`}>Job {job.undoneBy}</a>,
          }}
        />
      </section>
      <Failures {...failures} job={job} names={names} url={url} counted={job.failed + job.warnings} />
    </>
  );
};
