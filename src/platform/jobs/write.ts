import { conflict, notFound } from "../../domain/errors.ts";
import type { Author } from "../auth/author.ts";
import { type Caller, may, requirePermission } from "../auth/caller.ts";
import type { Database } from "../db/client.ts";
import { cancelJob, createJob, findJob } from "./queries.ts";
import { resourceOf } from "./resources.ts";
import { canUndo, type JobWithUndo } from "./schemas.ts";

/** A job that the caller may see. */
export async function requireJob(db: Database, caller: Caller, id: number): Promise<JobWithUndo> {
  const job = await findJob(db, id);
  if (!job || !may(caller, `${resourceOf[job.kind]}:read`)) throw notFound(`Job ${id}`);
  return job;
}

const isSeen = (caller: Caller, { kind }: JobWithUndo): boolean =>
  may(caller, `${resourceOf[kind]}:read`) || may(caller, `${resourceOf[kind]}:write`);

/** A job that the caller may stop and undo: whoever may start one. */
async function requireOwnJob(db: Database, caller: Caller, id: number): Promise<JobWithUndo> {
  const job = await findJob(db, id);
  if (!job || !isSeen(caller, job)) throw notFound(`Job ${id}`);
  requirePermission(caller, `${resourceOf[job.kind]}:write`);
  return job;
}

export const stopJob = async (db: Database, caller: Caller, id: number, author: Author): Promise<JobWithUndo> =>
  cancelJob(db, author, await requireOwnJob(db, caller, id));

/** Makes the job that takes back what another one did. */
export async function undoJob(db: Database, caller: Caller, id: number, author: Author): Promise<JobWithUndo> {
  const job = await requireOwnJob(db, caller, id);
  if (!canUndo(job)) throw conflict("wrong_job_state", "The job cannot be undone, or was");
  const { kind, parameters, done } = job;
  return createJob(db, author, { kind, parameters, total: done, undoOf: id });
}
