import { listUploads } from "../../downloads/files/multipart-upload.ts";
import { bytesReceived, type UploadRow } from "../../downloads/files/multipart-upload-schemas.ts";
import type { Database } from "../../platform/db/client.ts";
import { Allowed } from "../kit/allowed.tsx";
import { Table } from "../kit/table.tsx";
import { formatBytes } from "../kit/units.ts";
import { When } from "../kit/when.tsx";

/** All there can be: the table uploads is held to it. */
const MOST = { page: 1, per_page: 20 };

/** The uploads that were begun and have not come to their end; of one file those of its new versions. */
export async function readOpenUploads(db: Database, fileId?: number): Promise<UploadRow[]> {
  const { rows } = await listUploads(db, MOST, Date.now());
  return fileId === undefined ? rows : rows.filter((upload) => upload.fileId === fileId);
}

export const OpenUploads = ({ rows }: { rows: UploadRow[] }) =>
  rows.length === 0 ? null : (
    <Allowed to="files:write">
      <section class="card">
        <h2>Unfinished uploads</h2>
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
      </section>
    </Allowed>
  );

export const Purpose = ({ fileId, name }: UploadRow) =>
  fileId === null ? (
    <span>a new file, {name}</span>
  ) : (
    <span>
      a new version of <a href={`/admin/files/${fileId}`}>{name}</a>
    </span>
  );

export const Received = (upload: UploadRow) => (
  <span>
    {formatBytes(bytesReceived(upload))} of {formatBytes(upload.sizeBytes)}
  </span>
);
