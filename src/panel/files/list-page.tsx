import type { AdminFileRow } from "../../files/admin-schemas.ts";
import type { Page } from "../../http/pagination.ts";
import { type FormState, isNarrowed } from "../forms/state.ts";
import { Badge } from "../kit/badge.tsx";
import { LinkButton } from "../kit/buttons.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { FilterBar } from "../kit/filter-bar.tsx";
import { FormErrors } from "../kit/form.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { Pagination } from "../kit/pagination.tsx";
import { Table } from "../kit/table.tsx";
import { When } from "../kit/when.tsx";

type Props = { rows: AdminFileRow[]; place: Page; form: FormState; url: string };

export const accesses = {
  public: "Public: everybody",
  authenticated: "Authenticated: whoever is logged in",
  package: "Package: whoever bought or was granted it",
};

export const FilesPage = ({ rows, place, form, url }: Props) => (
  <>
    <PageHeader title="Files">
      <LinkButton href="/admin/files/new" tone="primary">
        Upload file
      </LinkButton>
    </PageHeader>
    <FormErrors message={form.message} errors={form.errors} />
    <FilterBar
      form={form}
      filters={[
        { name: "search", label: "Search" },
        {
          name: "access",
          label: "Access",
          options: { public: "Public", authenticated: "Authenticated", package: "Package" },
        },
        { name: "published", label: "State", options: { true: "Published", false: "Not published" } },
      ]}
    />
    {rows.length === 0 ? (
      <EmptyState title={isNarrowed(form) ? "No file matches" : "No files yet"}>
        What you upload can be given away, or sold with products.
      </EmptyState>
    ) : (
      <Table
        label="Files"
        rows={rows}
        columns={[
          { title: "Name", cell: ({ id, name }) => <a href={`/admin/files/${id}`}>{name}</a> },
          { title: "File", cell: ({ fileName }) => <code>{fileName}</code> },
          { title: "Access", cell: ({ access }) => access },
          { title: "State", cell: ({ publishedAt }) => <Badge status={stateOf(publishedAt)} /> },
          { title: "Changed", cell: ({ updatedAt }) => <When at={updatedAt} /> },
          { title: "Size", numeric: true, cell: ({ sizeBytes }) => inUnits(sizeBytes) },
        ]}
      />
    )}
    <Pagination page={place} url={url} />
  </>
);

export const stateOf = (publishedAt: number | null): string => (publishedAt === null ? "not published" : "published");

/** 8,400,000 bytes as people say it: "8.4 MB". */
export function inUnits(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB"];
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  return `${Number((bytes / 1000 ** power).toPrecision(3))} ${units[power]}`;
}
