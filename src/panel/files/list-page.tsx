import type { AdminFileRow } from "../../downloads/files/admin-schemas.ts";
import type { UploadRow } from "../../downloads/files/uploads/schemas.ts";
import type { Options } from "../../platform/administration/inputs.ts";
import type { FileAccess } from "../../platform/db/schema.ts";
import type { FormInputs } from "../forms/inputs.ts";
import { Allowed } from "../kit/allowed.tsx";
import { LinkButton } from "../kit/buttons.tsx";
import { When } from "../kit/dates.tsx";
import { choiceFilter, ExportMenu } from "../kit/filters.tsx";
import { ListPage, type ListProps } from "../kit/listing.tsx";
import { PageHeader } from "../kit/page-parts.tsx";
import { Badge, formatBytes } from "../kit/values.tsx";
import { OpenUploads } from "../uploads/page.tsx";

type FilesPageProps = ListProps<AdminFileRow> & { open: UploadRow[] };

export const accesses: Options = Object.entries({
  public: "Public: everybody",
  authenticated: "Authenticated: anyone who is logged in",
  package: "Package: customers who bought it or were granted it",
} satisfies Record<FileAccess, string>);

const accessNames = {
  public: "Public",
  authenticated: "Authenticated",
  package: "Package",
} satisfies Record<FileAccess, string>;

export const fileFilterInputs = {
  search: { as: "search", label: "Search" },
  access: choiceFilter("Access", Object.entries(accessNames)),
  published: choiceFilter("State", [
    ["true", "Published"],
    ["false", "Not published"],
  ]),
} satisfies FormInputs;

export const FilesPage = ({ open, ...list }: FilesPageProps) => (
  <>
    <PageHeader title="Files">
      <ExportMenu form={list.form} needs="files:read" lists={[{ list: "files", label: "Files" }]} />
      <Allowed to="files:write">
        <LinkButton href="/admin/files/new" tone="primary">
          Upload file
        </LinkButton>
      </Allowed>
    </PageHeader>
    <OpenUploads rows={open} />
    <ListPage
      {...list}
      label="Files"
      columns={[
        { title: "Name", cell: ({ id, name }) => <a href={`/admin/files/${id}`}>{name}</a> },
        { title: "File", wide: true, cell: ({ fileName }) => <code>{fileName}</code> },
        { title: "Access", cell: ({ access }) => accessNames[access] },
        { title: "State", cell: ({ publishedAt }) => <Badge status={publicationStatus(publishedAt)} /> },
        { title: "Changed", cell: ({ updatedAt }) => <When at={updatedAt} brief /> },
        { title: "Size", numeric: true, cell: ({ sizeBytes }) => formatBytes(sizeBytes) },
      ]}
      none={{ title: "No files yet", narrowed: "No matching files" }}
    >
      Give files away, or sell them with products.
    </ListPage>
  </>
);

export const publicationStatus = (publishedAt: number | null) => (publishedAt === null ? "not published" : "published");
