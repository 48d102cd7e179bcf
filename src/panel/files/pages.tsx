import type { Context } from "hono";
import type { PropsWithChildren } from "hono/jsx";
import { type AdminFileRow, FilesQuery, fileFields } from "../../downloads/files/admin-schemas.ts";
import { adminListFiles } from "../../downloads/files/files.ts";
import { MAX_FILE_BYTES } from "../../downloads/files/uploads/schemas.ts";
import { requireFile } from "../../downloads/files/write.ts";
import type { FileAccess } from "../../platform/db/schema.ts";
import { etagOf } from "../../platform/http/version.ts";
import { inputsOf, valuesOf } from "../forms/conversion.ts";
import { type Failed, type FormInput, type FormInputs, type FormState, formFor } from "../forms/inputs.ts";
import { text } from "../forms/kinds.ts";
import { readFilters } from "../forms/read-form.ts";
import { Allowed } from "../kit/allowed.tsx";
import { When } from "../kit/dates.tsx";
import { Field, Fields } from "../kit/fields.tsx";
import { choiceFilter, ExportMenu } from "../kit/filters.tsx";
import { Button, Form, LinkButton } from "../kit/form.tsx";
import { Card, PageHeader, RowHeader } from "../kit/page-parts.tsx";
import { Badge, DescriptionList, formatBytes, Reference } from "../kit/values.tsx";
import { listPage } from "../list-page.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { type Names, readNames } from "../references.ts";
import { viewsOf } from "../saved-views/routes.tsx";
import { OpenUploads, readOpenUploads } from "../uploads/page.tsx";

const accessNames = {
  public: "Everybody",
  authenticated: "Signed in",
  package: "Buyers",
} satisfies Record<FileAccess, string>;

const fileFilterInputs = {
  search: { as: "search", label: "Search" },
  access: choiceFilter("Access", Object.entries(accessNames)),
  published: choiceFilter("State", [
    ["true", "Published"],
    ["false", "Not published"],
  ]),
} satisfies FormInputs;

export async function filesPage(c: Context<PanelEnv>) {
  const { query, form } = readFilters(c, FilesQuery, fileFilterInputs);
  const [found, open, views] = await Promise.all([
    adminListFiles(c.var.db, query),
    readOpenUploads(c.var.db),
    viewsOf(c, "files"),
  ]);
  return listPage(c, {
    noun: "files",
    actions: <ExportMenu form={form} needs="files:read_all" lists={[{ list: "files", label: "Files" }]} />,
    add: { label: "Upload file", needs: "files:write" },
    above: <OpenUploads rows={open} />,
    found,
    views,
    form,
    columns: [
      { title: "Name", cell: ({ id, name }) => <a href={`/admin/files/${id}`}>{name}</a> },
      { title: "File", wide: true, cell: ({ fileName }) => <code>{fileName}</code> },
      { title: "Access", cell: ({ access }) => accessNames[access] },
      { title: "State", cell: ({ publishedAt }) => <Badge status={publicationStatus(publishedAt)} /> },
      { title: "Changed", cell: ({ updatedAt }) => <When at={updatedAt} brief /> },
      { title: "Size", numeric: true, cell: ({ sizeBytes }) => formatBytes(sizeBytes) },
    ],
    purpose: "Give files away, or sell them with products.",
  });
}

const publicationStatus = (publishedAt: number | null) => (publishedAt === null ? "not published" : "published");

const FILES_PATH = "/admin/files";

/** The file comes last: its properties must be known before its bytes arrive. */
export async function newFilePage(c: Context<PanelEnv>, failed: Failed | null) {
  const form = formFor(failed, FILES_PATH, {
    inputs: {
      ...fileInputs,
      name: { ...fileInputs.name, hint: "Leave empty to use the file's own name." },
      file: contentInput("File"),
    },
    values: { access: "package", published: true },
  });
  return page(
    c,
    "Upload file",
    <>
      <PageHeader back={{ path: FILES_PATH, name: "Files" }} />
      <OpenUploads rows={await readOpenUploads(c.var.db)} />
      <div class="card narrow">
        <Form form={form} upload={`${FILES_PATH}/uploads`}>
          <FileFields form={form} />
          <Field form={form} name="file" />
          <div class="actions">
            <Button>Upload</Button>
            <LinkButton href={FILES_PATH}>Cancel</LinkButton>
          </div>
        </Form>
      </div>
    </>,
  );
}

const declared = inputsOf(fileFields);

/** Only a new file without a name takes its content's. */
const fileInputs = { ...declared, name: { ...declared.name, read: text } } satisfies FormInputs;

/** The form of a stored file. Products that grant a file are set on their own pages. */
export const storedFileInputs = {
  ...fileInputs,
  file_name: { as: "text", label: "File name", hint: "File name when downloaded.", required: true },
} satisfies FormInputs;

/** The file itself. Without scripts it is sent in one request. */
const contentInput = (label: string, hint = "") =>
  ({
    as: "file",
    label,
    hint: `${hint}Up to ${formatBytes(MAX_FILE_BYTES)}, or 100 MB in a browser without scripts.`,
    required: true,
  }) satisfies FormInput;

/** The children come after the name. */
const FileFields = ({ form, children }: PropsWithChildren<{ form: FormState<keyof typeof fileInputs> }>) => (
  <>
    <Field form={form} name="name" />
    {children}
    <Fields form={form} names={["description", "access", "published"]} />
  </>
);

type NewVersionProps = { file: AdminFileRow; failed: Failed | null };
export async function filePage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const [file, open] = await Promise.all([requireFile(c.var.db, id), readOpenUploads(c.var.db, id)]);
  const names = await readNames(
    c.var.db,
    file.productIds.map((product) => `product:${product}`),
  );
  return page(
    c,
    file.name,
    <>
      <RowHeader
        title={file.name}
        statuses={<Badge status={publicationStatus(file.publishedAt)} />}
        audit={{ subject: "file", id: file.id }}
        deletion={{
          form: formFor(failed, `/admin/files/${file.id}/delete`, { etag: etagOf(file.updatedAt) }),
          needs: "files:write",
          title: `Delete ${file.name}?`,
          text: "A file that was sold or granted cannot be deleted. Unpublish it instead.",
        }}
      >
        <a class="button quiet" href={`/admin/files/${file.id}/content`} download>
          Download
        </a>
      </RowHeader>
      <OpenUploads rows={open} />
      <div class="editor">
        <div>
          <section class="card">
            <Edit file={file} failed={failed} />
          </section>
        </div>
        <div>
          <Card title="Content">
            <DescriptionList
              facts={{
                Size: formatBytes(file.sizeBytes),
                Version: file.version,
                Type: <code>{file.mimeType}</code>,
                Changed: <When at={file.updatedAt} />,
              }}
            />
            <Allowed to="files:write">
              <NewVersion file={file} failed={failed} />
            </Allowed>
            <details class="correction">
              <summary>Checksum</summary>
              <code>{file.sha256}</code>
            </details>
          </Card>
          <Card title="Included with">
            <Products ids={file.productIds} names={names} />
          </Card>
        </div>
      </div>
    </>,
  );
}

const Products = ({ ids, names }: { ids: number[]; names: Names }) =>
  ids.length === 0 ? (
    <p class="muted">No product yet. Add the file on a product's page.</p>
  ) : (
    <ul class="entries">
      {ids.map((id) => (
        <li>
          <Reference to={`product:${id}`} names={names} />
        </li>
      ))}
    </ul>
  );

const NewVersion = ({ file, failed }: NewVersionProps) => {
  const form = formFor(failed, `/admin/files/${file.id}/versions`, {
    inputs: {
      file: contentInput("New version", "Customers keep their access and get this version from now on. "),
    },
    etag: etagOf(file.updatedAt),
  });
  return (
    <Form form={form} upload={`/admin/files/${file.id}/uploads`}>
      <Field form={form} name="file" />
      <Button tone="quiet">Upload version</Button>
    </Form>
  );
};

const Edit = ({ file, failed }: NewVersionProps) => {
  const form = formFor(failed, `/admin/files/${file.id}`, {
    inputs: storedFileInputs,
    values: {
      ...valuesOf(fileFields, { ...file, published: file.publishedAt !== null }),
      file_name: file.fileName,
    },
    etag: etagOf(file.updatedAt),
  });
  return (
    <Form form={form} needs="files:write">
      <FileFields form={form}>
        <Field form={form} name="file_name" />
      </FileFields>
      <Button>Save file</Button>
    </Form>
  );
};
