import { type Context, Hono } from "hono";
import {
  BackupParam,
  type BackupRow,
  type BackupStatus,
  createBackup,
  keptAs,
  readBackupStatus,
  requireManifest,
} from "../../back-office/backups/backups.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import { validate } from "../../platform/http/validate.ts";
import { isOpen } from "../../platform/jobs/schemas.ts";
import { startInBackground } from "../../platform/jobs/start.ts";
import type { Keep } from "../../platform/settings/backups.ts";
import { redirectWithFlash } from "../flash.ts";
import { submitForm } from "../forms/attempt.ts";
import { type Failed, formFor } from "../forms/inputs.ts";
import { LiveProgress } from "../jobs/pages.tsx";
import { Allowed } from "../kit/allowed.tsx";
import { When } from "../kit/dates.tsx";
import { Button, ErrorSummary, Form } from "../kit/form.tsx";
import { Card, EmptyState, PageHeader } from "../kit/page-parts.tsx";
import { Table } from "../kit/table.tsx";
import { CopyField, formatBytes } from "../kit/values.tsx";
import { type PanelEnv, page } from "../page.tsx";

const BACKUPS = "/admin/backups";

const [reads, writes] = [administer("settings:read"), administer("settings:write")];

export const backupPages = new Hono<PanelEnv>()
  .get("/backups", reads, (c) => backupsPage(c, null))
  .post(
    "/backups",
    writes,
    submitForm(backupsPage, async (c) => {
      const job = await createBackup(writeContextOf(c));
      startInBackground(c, job.id);
      return redirectWithFlash(c, BACKUPS, "The shop is being backed up.");
    }),
  )
  .get("/backups/:id/manifest", reads, validate("param", BackupParam), async (c) => {
    const { id } = c.req.valid("param");
    c.header("Content-Disposition", `attachment; filename="backup-${id}.json"`);
    return c.json(await requireManifest(c.env, id));
  });

async function backupsPage(c: Context<PanelEnv>, failed: Failed | null): Promise<Response> {
  const { db, settings } = c.var;
  const status = await readBackupStatus(c.env, db, { settings, now: Date.now() });
  return page(c, "Backups", <BackupsPage {...status} keep={settings.backups.keep} failed={failed} />);
}

type Props = BackupStatus & { keep: Keep; failed: Failed | null };

const BackupsPage = ({ isSetUp, isOverdue, backups, job, keep, failed }: Props) => {
  const form = formFor(failed, BACKUPS);
  const isRunning = job !== null && isOpen(job);
  return (
    <>
      <PageHeader>
        {isSetUp && !isRunning && (
          <Allowed to="settings:write">
            <Form form={form} plain>
              <Button>Back up now</Button>
            </Form>
          </Allowed>
        )}
      </PageHeader>
      <ErrorSummary {...form} />
      {!isSetUp && (
        <p class="notice warning">
          Nothing is backed up, because the shop has no place for backups. Your developer can add one.
        </p>
      )}
      {isOverdue && <p class="notice warning">A backup is missing: the last one is older than 30 hours.</p>}
      {job?.state === "failed" && (
        <p class="notice warning">
          The last backup failed. <a href={`/admin/jobs/${job.id}`}>View job</a>
        </p>
      )}
      {isRunning && (
        <Card title="Backup in progress">
          <LiveProgress job={job} />
        </Card>
      )}
      {backups.length === 0 ? (
        <EmptyState title="No backups yet">
          A backup is a copy of the shop's data, files and images. One is made every day.
        </EmptyState>
      ) : (
        <BackupsTable backups={backups} keep={keep} />
      )}
    </>
  );
};

/** Explains what restoring a backup does, with the command for it. */
const Restoring = ({ id, moment }: BackupRow) => (
  <>
    <button type="button" class="button quiet" popovertarget={`restore-${id}`}>
      How to restore
    </button>
    <dialog class="dialog" id={`restore-${id}`} popover="auto" aria-labelledby={`restore-${id}-title`}>
      <h2 id={`restore-${id}-title`}>Restore a backup</h2>
      <p>
        Restoring makes a second copy of the shop's data as it was on <When at={moment} />. Orders, customers and
        changes since then are not in it, and nothing happens to the shop that is running. Your developer runs this
        command, and then connects the shop to the copy:
      </p>
      <CopyField id={`command-${id}`} label="Command" value={`npm run restore -- ${id} --into storefront-restored`} />
      <p class="muted">
        It needs the shop's link secret. Accounts that were erased since the backup have to be erased again.
      </p>
      <div class="actions">
        <button type="button" class="button quiet" popovertarget={`restore-${id}`} popovertargetaction="hide">
          Close
        </button>
      </div>
    </dialog>
  </>
);

const BackupsTable = ({ backups, keep }: { backups: BackupRow[]; keep: Keep }) => {
  const reasons = keptAs(backups, keep);
  return (
    <>
      <p class="muted">
        The last backups of {keep.daily} days, {keep.weekly} weeks and {keep.monthly} months are kept. A backup contains
        all personal data that the shop had then.
      </p>
      <Table
        label="Backups"
        phone="lines"
        rows={backups}
        columns={[
          { title: "As of", cell: ({ moment }) => <When at={moment} /> },
          { title: "Kept as", cell: (backup) => reasons.get(backup)?.join(", ") || null },
          { title: "Rows", numeric: true, cell: ({ rows }) => rows.toLocaleString("en") },
          { title: "Data", numeric: true, cell: ({ bytes }) => formatBytes(bytes) },
          {
            title: "Files and images",
            numeric: true,
            cell: ({ objects, objectBytes }) => `${objects.toLocaleString("en")} (${formatBytes(objectBytes)})`,
          },
          {
            title: "Contents",
            phone: "second",
            cell: ({ id }) => (
              <a href={`${BACKUPS}/${id}/manifest`} download>
                Download list
              </a>
            ),
          },
          { title: "Restore", phone: "second", cell: (backup) => <Restoring {...backup} /> },
        ]}
      />
    </>
  );
};
