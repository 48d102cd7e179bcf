import type { AdminFileRow } from "../../downloads/files/admin-schemas.ts";
import type { fileFields } from "../../downloads/files/fields.ts";
import type { UploadRow } from "../../downloads/files/multipart-upload-schemas.ts";
import { etagOf } from "../../platform/http/version.ts";
import { type Failed, formFor } from "../forms/state.ts";
import type { Initial } from "../forms/values.ts";
import { Allowed } from "../kit/allowed.tsx";
import { Badge } from "../kit/badge.tsx";
import { Button, LinkButton } from "../kit/buttons.tsx";
import { ConfirmButton } from "../kit/confirm-button.tsx";
import { DescriptionList } from "../kit/description-list.tsx";
import { Field } from "../kit/fields.tsx";
import { Form } from "../kit/form.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { formatBytes } from "../kit/units.ts";
import { When } from "../kit/when.tsx";
import type { Names } from "../references/queries.ts";
import { Reference } from "../references/reference.tsx";
import { OpenUploads } from "../uploads/open-uploads.tsx";
import { publicationStatus } from "./list-page.tsx";
import { FileField, FileFields } from "./new-page.tsx";

type Props = { file: AdminFileRow; failed: Failed | null };
type PageProps = Props & { open: UploadRow[]; names: Names };

export const FilePage = ({ file, failed, open, names }: PageProps) => (
  <>
    <PageHeader title={file.name} back={{ path: "/admin/files", name: "Files" }}>
      <Badge status={publicationStatus(file.publishedAt)} />
      <a class="button quiet" href={`/admin/files/${file.id}/content`} download>
        Download
      </a>
      <Allowed to="administrators">
        <LinkButton href={`/admin/audit-log?subject=file&subject_id=${file.id}`}>Audit log</LinkButton>
      </Allowed>
      <Allowed to="files:write">
        <ConfirmButton
          form={formFor(failed, `/admin/files/${file.id}/delete`, {}, etagOf(file.updatedAt))}
          label="Delete"
          title={`Delete ${file.name}?`}
          text="A file that was sold or granted cannot be deleted. Unpublish it instead."
        />
      </Allowed>
    </PageHeader>
    <OpenUploads rows={open} />
    <section class="card">
      <DescriptionList
        facts={{
          File: <code>{file.fileName}</code>,
          Type: <code>{file.mimeType}</code>,
          Size: formatBytes(file.sizeBytes),
          Version: String(file.version),
          "SHA-256": <code>{file.sha256}</code>,
          Changed: <When at={file.updatedAt} />,
          "Granted by": <Products ids={file.productIds} names={names} />,
        }}
      />
      <Allowed to="files:write">
        <NewVersion file={file} failed={failed} />
      </Allowed>
    </section>
    <section class="card">
      <Edit file={file} failed={failed} />
    </section>
  </>
);

const Products = ({ ids, names }: { ids: number[]; names: Names }) =>
  ids.length === 0 ? (
    <span class="muted">no product. Choose it on a product's page</span>
  ) : (
    <span>
      {ids.map((id, index) => (
        <>
          {index > 0 && ", "}
          <Reference to={`product:${id}`} names={names} />
        </>
      ))}
    </span>
  );

const NewVersion = ({ file, failed }: Props) => {
  const form = formFor(failed, `/admin/files/${file.id}/versions`, {}, etagOf(file.updatedAt));
  return (
    <Form form={form} upload={`/admin/files/${file.id}/uploads`}>
      <FileField form={form} label="New version" hint="Customers keep their access and get this version from now on." />
      <Button tone="quiet">Upload version</Button>
    </Form>
  );
};

const Edit = ({ file, failed }: Props) => {
  const form = formFor(
    failed,
    `/admin/files/${file.id}`,
    {
      name: file.name,
      description: file.description,
      file_name: file.fileName,
      access: file.access,
      published: file.publishedAt !== null,
    } satisfies Record<Exclude<keyof typeof fileFields, "product_ids"> | "file_name", Initial>,
    etagOf(file.updatedAt),
  );
  return (
    <Form form={form} needs="files:write">
      <FileFields form={form} />
      <Field form={form} name="file_name" label="File name" hint="File name when downloaded." required />
      <Button>Save file</Button>
    </Form>
  );
};
