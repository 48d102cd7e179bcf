import type { AdminFileRow } from "../../downloads/files/admin-schemas.ts";
import { listUploads } from "../../downloads/files/uploads/multipart-upload.ts";
import { bytesReceived, toUpload, type UploadRow } from "../../downloads/files/uploads/schemas.ts";
import type { Database } from "../../platform/db/client.ts";
import { etagOf } from "../../platform/http/version.ts";
import { versionField } from "../forms/edit.ts";
import { formFor } from "../forms/inputs.ts";
import { Allowed } from "../kit/allowed.tsx";
import { When } from "../kit/dates.tsx";
import { Field } from "../kit/fields.tsx";
import { Button, ConfirmButton } from "../kit/form.tsx";
import { Card, PageHeader } from "../kit/page-parts.tsx";
import { Table } from "../kit/table.tsx";
import { DescriptionList, formatBytes } from "../kit/values.tsx";

type UploadPageProps = {
  upload: UploadRow;
  /** The file that gets a new version. */
  replaced: AdminFileRow | null;
};

/** An interrupted upload: what has arrived, and how to continue or cancel. */
export const UploadPage = ({ upload, replaced }: UploadPageProps) => {
  const path = `/admin/uploads/${upload.id}`;
  return (
    <>
      <PageHeader title={upload.fileName} back={{ path: "/admin/files", name: "Files" }}>
        <ConfirmButton
          form={formFor(null, `${path}/cancel`)}
          label="Cancel upload"
          title={`Cancel the upload of ${upload.fileName}?`}
          text="Deletes the received part of the file."
        />
      </PageHeader>
      <section class="card">
        <DescriptionList
          facts={{
            For: <Purpose {...upload} />,
            Received: <Received {...upload} />,
            Begun: <When at={upload.createdAt} />,
            "Kept until": <When at={upload.expiresAt} />,
          }}
        />
        <Continue upload={upload} replaced={replaced} />
      </section>
    </>
  );
};

/** Browsers forget the file, so it has to be chosen again. */
const Continue = ({ upload, replaced }: UploadPageProps) => {
  const form = formFor(null, `/admin/uploads/${upload.id}`, {
    inputs: {
      file: {
        as: "file",
        label: `Choose ${upload.fileName} again`,
        hint: "Resumes where the upload stopped.",
        required: true,
      },
    },
  });
  return (
    <>
      <noscript>
        <p>Continuing an upload requires scripts, which are off in this browser.</p>
      </noscript>
      <form class="form" data-upload="" data-open={JSON.stringify(toUpload(upload))} hidden>
        {replaced && <input type="hidden" name={versionField} value={etagOf(replaced.updatedAt)} />}
        <Field form={form} name="file" />
        <Button>Continue upload</Button>
      </form>
    </>
  );
};

/** Maximum number of open uploads, enforced by the table. */
const MOST = { page: 1, per_page: 20 };

/** Unfinished uploads; for a file, those of its new versions. */
export async function readOpenUploads(db: Database, fileId?: number): Promise<UploadRow[]> {
  const { rows } = await listUploads(db, MOST, Date.now());
  return fileId === undefined ? rows : rows.filter((upload) => upload.fileId === fileId);
}

export const OpenUploads = ({ rows }: { rows: UploadRow[] }) =>
  rows.length === 0 ? null : (
    <Allowed to="files:write">
      <Card title="Unfinished uploads">
        <Table
          label="Unfinished uploads"
          rows={rows}
          columns={[
            { title: "File", cell: ({ id, fileName }) => <a href={`/admin/uploads/${id}`}>{fileName}</a> },
            { title: "For", cell: (upload) => <Purpose {...upload} /> },
            { title: "Begun", cell: ({ createdAt }) => <When at={createdAt} /> },
            { title: "Received", numeric: true, cell: (upload) => <Received {...upload} /> },
          ]}
        />
      </Card>
    </Allowed>
  );

const Purpose = ({ fileId, name }: UploadRow) =>
  fileId === null ? (
    <span>a new file, {name}</span>
  ) : (
    <span>
      a new version of <a href={`/admin/files/${fileId}`}>{name}</a>
    </span>
  );

const Received = (upload: UploadRow) => (
  <span>
    {formatBytes(bytesReceived(upload))} of {formatBytes(upload.sizeBytes)}
  </span>
);
