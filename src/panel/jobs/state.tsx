import type { JobRow } from "../../platform/jobs/schemas.ts";
import { Badge } from "../kit/badge.tsx";

/** The state of a job. One that is completed, with rows that failed, is not shown as good. */
export const JobState = ({ state, failed }: Pick<JobRow, "state" | "failed">) => (
  <Badge status={state} {...(state === "completed" && failed > 0 && { tone: "busy" })} />
);
