import { Hono } from "hono";
import { IdParam } from "../../domain/fields.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { administer, administrators } from "../../platform/auth/gates.ts";
import { validate } from "../../platform/http/validate.ts";
import { cancelJob, requireJob, undoJob } from "../../platform/jobs/jobs.ts";
import { startInBackground } from "../../platform/jobs/start.ts";
import { redirectWithFlash } from "../flash.ts";
import { ViewedBy } from "../kit/allowed.tsx";
import type { PanelEnv } from "../page.tsx";
import { recordPages } from "../record-pages.ts";
import { failedItemsPage } from "./failures.tsx";
import { JOBS, jobPage, jobsPage, Progress } from "./pages.tsx";

const reads = administer("jobs:read");

export const jobPages = new Hono<PanelEnv>()
  .get("/jobs/failed-items", administrators, failedItemsPage)
  .get("/jobs/:id/progress", reads, validate("param", IdParam), async (c) => {
    const job = await requireJob(c.var.db, c.var.caller, c.req.valid("param").id);
    return c.html(
      <ViewedBy value={c.var.identity}>
        <Progress job={job} />
      </ViewedBy>,
    );
  })
  .route(
    "/",
    recordPages("/jobs", {
      reads,
      writes: administer("jobs:write"),
      listPage: jobsPage,
      rowPage: jobPage,
      forms: {
        "/cancel": async (c, id) => {
          await cancelJob(writeContextOf(c), id);
          return "The job was cancelled.";
        },
        "/undo": async (c, id) => {
          const undo = await undoJob(writeContextOf(c), id);
          startInBackground(c, undo.id);
          return redirectWithFlash(c, `${JOBS}/${undo.id}`, "The job is being undone.");
        },
      },
    }),
  );
