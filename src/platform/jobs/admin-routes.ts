import { Hono } from "hono";
import { IdParam, Nothing } from "../../domain/fields.ts";
import { type AppEnv, administer } from "../auth/gates.ts";
import { created, list, ok } from "../http/envelope.ts";
import { PageQuery } from "../http/pagination.ts";
import { answers, creates, lists } from "../http/route-description.ts";
import { validate, validateAll } from "../http/validate.ts";
import { idempotent, once } from "../idempotency/once.ts";
import { cancelJob, listFailures, listJobs, requireJob, undoJob } from "./jobs.ts";
import { Job, JobFailure, JobsQuery, readableKinds, toJob, toJobFailure } from "./schemas.ts";
import { startInBackground } from "./start.ts";

export const jobsAdmin = new Hono<AppEnv>()
  .get(
    "/jobs",
    administer("jobs:read"),
    validate("query", JobsQuery),
    lists("listJobs", "List jobs", Job),
    async (c) => {
      const page = await listJobs(c.var.db, c.req.valid("query"), readableKinds(c.var.caller));
      return list(c, "Jobs", page, toJob);
    },
  )
  .get(
    "/jobs/:id",
    administer("jobs:read"),
    validate("param", IdParam),
    answers("getJob", "Get a job", Job),
    async (c) => ok(c, "Job", toJob(await requireJob(c.var.db, c.var.caller, c.req.valid("param").id))),
  )
  .get(
    "/jobs/:id/failures",
    administer("jobs:read"),
    validateAll({ param: IdParam, query: PageQuery }),
    lists("listJobFailures", "List the failures of a job", JobFailure),
    async (c) => {
      const { id } = await requireJob(c.var.db, c.var.caller, c.req.valid("param").id);
      const page = await listFailures(c.var.db, id, c.req.valid("query"));
      return list(c, "Failures", page, toJobFailure);
    },
  )
  .post(
    "/jobs/:id/cancel",
    administer("jobs:write"),
    idempotent,
    validateAll({ param: IdParam, json: Nothing }),
    answers("cancelJob", "Cancel a job", Job, {
      description: "Stops a job. Rows that it has changed stay changed.",
      refuses: { 409: ["wrong_job_state"] },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      return ok(c, "Job cancelled", toJob(await once(c, {}, (ctx) => cancelJob(ctx, id))));
    },
  )
  .post(
    "/jobs/:id/undo",
    administer("jobs:write"),
    idempotent,
    validateAll({ param: IdParam, json: Nothing }),
    creates("undoJob", "Undo a job", Job, {
      description:
        "Starts another job that restores the rows that an ended job changed, and deletes those that it created. Rows that were edited since then stay as they are.",
      refuses: { 409: ["wrong_job_state"] },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const job = await once(c, {}, (ctx) => undoJob(ctx, id));
      startInBackground(c, job.id);
      return created(c, `/api/v1/admin/jobs/${job.id}`, "Job is being undone", toJob(job));
    },
  );
