import { Hono } from "hono";
import { IdParam, Nothing } from "../../domain/fields.ts";
import type { AppEnv } from "../auth/app-env.ts";
import { administer } from "../auth/gates.ts";
import { created, list, ok } from "../http/envelope.ts";
import { PageQuery, pageOf } from "../http/pagination.ts";
import { answers, creates, lists } from "../http/route-description.ts";
import { validate } from "../http/validate.ts";
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
      const query = c.req.valid("query");
      const { rows, totalItems } = await listJobs(c.var.db, query, readableKinds(c.var.caller));
      return list(c, "Jobs", rows.map(toJob), pageOf(query, totalItems));
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
    validate("param", IdParam),
    validate("query", PageQuery),
    lists("listJobFailures", "List the failures of a job", JobFailure),
    async (c) => {
      const query = c.req.valid("query");
      const { id } = await requireJob(c.var.db, c.var.caller, c.req.valid("param").id);
      const { rows, totalItems } = await listFailures(c.var.db, id, query);
      return list(c, "Failures", rows.map(toJobFailure), pageOf(query, totalItems));
    },
  )
  .post(
    "/jobs/:id/cancel",
    administer("jobs:write"),
    idempotent,
    validate("param", IdParam),
    validate("json", Nothing),
    answers("cancelJob", "Cancel a job", Job, { refuses: [409] }),
    async (c) => {
      const { id } = c.req.valid("param");
      return ok(c, "Job cancelled", toJob(await once(c, {}, (ctx) => cancelJob(ctx, id))));
    },
  )
  .post(
    "/jobs/:id/undo",
    administer("jobs:write"),
    idempotent,
    validate("param", IdParam),
    validate("json", Nothing),
    creates("undoJob", "Undo a job", Job, { refuses: [409] }),
    async (c) => {
      const { id } = c.req.valid("param");
      const job = await once(c, {}, (ctx) => undoJob(ctx, id));
      startInBackground(c, job.id);
      return created(c, `/api/v1/admin/jobs/${job.id}`, "Job is being undone", toJob(job));
    },
  );
