import { isOpen, type JobRow } from "../../platform/jobs/schemas.ts";
import { Badge } from "../kit/badge.tsx";
import { Live } from "../kit/live.tsx";

const count = (rows: number): string => rows.toLocaleString("en");

/** The progress of a job. A finished job tells the page to reload. */
export const Progress = ({ job }: { job: JobRow }) => {
  const { done, failed, warnings, total } = job;
  const seen = done + failed;
  return (
    <div data-over={isOpen(job) ? undefined : ""}>
      <p>
        <JobState {...job} /> {total === null ? "Counting rows…" : `${count(seen)} of ${count(total)} rows`}
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

/** The state of a job. A completed job with failed rows is not shown as success. */
export const JobState = ({ state, failed }: Pick<JobRow, "state" | "failed">) => (
  <Badge status={state} {...(state === "completed" && failed > 0 && { tone: "busy" })} />
);
