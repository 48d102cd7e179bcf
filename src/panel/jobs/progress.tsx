import { isOpen, type JobRow } from "../../platform/jobs/schemas.ts";
import { Badge } from "../kit/badge.tsx";
import { Live } from "../kit/live.tsx";

const count = (rows: number): string => rows.toLocaleString("en");

/** How far a job is. One that is over says so, for the page to be loaded again. */
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

/** The progress of a job, kept fresh while it is at work: by the script, or by the browser. */
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

/** The state of a job. One that is completed, with rows that failed, is not shown as good. */
export const JobState = ({ state, failed }: Pick<JobRow, "state" | "failed">) => (
  <Badge status={state} {...(state === "completed" && failed > 0 && { tone: "busy" })} />
);
