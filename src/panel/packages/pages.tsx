import type { packageFields } from "../../downloads/packages/fields.ts";
import { type PackageRow, packageStatus, packageStatuses } from "../../downloads/packages/schemas.ts";
import { etagOf } from "../../platform/http/version.ts";
import { type Choices, namesOf, withChosen } from "../choices.ts";
import { type Failed, type FormState, formFor } from "../forms/state.ts";
import type { Initial } from "../forms/values.ts";
import { Allowed } from "../kit/allowed.tsx";
import { Badge } from "../kit/badge.tsx";
import { Button, LinkButton } from "../kit/buttons.tsx";
import { ConfirmButton } from "../kit/confirm-button.tsx";
import { formatForInput } from "../kit/dates.ts";
import { DescriptionList } from "../kit/description-list.tsx";
import { Refusal } from "../kit/error-summary.tsx";
import { Checkbox, Field, Fieldset } from "../kit/fields.tsx";
import { Form } from "../kit/form.tsx";
import { Listing, type ListProps } from "../kit/listing.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { PickerField } from "../kit/picker.tsx";
import { When } from "../kit/when.tsx";
import type { Names } from "../references/names.ts";
import { Reference } from "../references/reference.tsx";

type PackagePageProps = { row: PackageRow; names: Names; files: Choices["files"]; failed: Failed | null; now: number };

export const PackagePage = ({ row, names, files, failed, now }: PackagePageProps) => {
  const path = `/admin/packages/${row.id}`;
  const isLive = row.revokedAt === null;
  return (
    <>
      <PageHeader title={row.name} back={{ path: "/admin/packages", name: "Packages" }}>
        <Badge status={packageStatus(row, now)} />
        <Allowed to="administrators">
          <LinkButton href={`/admin/audit-log?subject=package&subject_id=${row.id}`}>Audit log</LinkButton>
        </Allowed>
        {isLive && (
          <Allowed to="packages:write">
            <ConfirmButton
              form={formFor(failed, `${path}/revoke`, {}, etagOf(row.updatedAt))}
              label="Revoke"
              title={`Revoke ${row.name}?`}
              text="Downloads stop immediately, including existing download links."
            />
          </Allowed>
        )}
      </PageHeader>
      <Refusal failed={failed} offered={isLive ? [path, `${path}/revoke`] : []} />
      <section class="card">
        <DescriptionList
          facts={{
            Customer: <Holder {...row} names={names} />,
            From: <Origin {...row} names={names} />,
            Downloads: <Used {...row} />,
            Starts: <When at={row.startsAt} />,
            Expires: <When at={row.expiresAt} none="never" />,
            Revoked: row.revokedAt === null ? undefined : <When at={row.revokedAt} />,
            Files: <Files files={row.files} />,
          }}
        />
      </section>
      {isLive && (
        <section class="card">
          <h2>Extend</h2>
          <Edit row={row} files={files} failed={failed} />
        </section>
      )}
    </>
  );
};

const Files = ({ files }: Pick<PackageRow, "files">) => (
  <span>
    {files.map(({ id, name }, index) => (
      <>
        {index > 0 && ", "}
        <a href={`/admin/files/${id}`}>{name}</a>
      </>
    ))}
  </span>
);

const Edit = ({ row, files, failed }: Omit<PackagePageProps, "now" | "names">) => {
  const form = formFor(
    failed,
    `/admin/packages/${row.id}`,
    {
      name: row.name,
      file_ids: row.files.map(({ id }) => id),
      download_limit: row.downloadLimit,
      expires_at: formatForInput(row.expiresAt),
    } satisfies Record<keyof typeof packageFields, Initial>,
    etagOf(row.updatedAt),
  );
  return (
    <Form form={form} needs="packages:write">
      <PackageFields form={form} files={withChosen(namesOf(files), row.files)} />
      <Button>Save package</Button>
    </Form>
  );
};

type PackagesPageProps = ListProps<PackageRow> & { names: Names; now: number };

const statuses = packageStatuses.map((status) => [status, status] as const);

export const PackagesPage = ({ now, names, ...list }: PackagesPageProps) => (
  <>
    <PageHeader title="Packages">
      <Allowed to="packages:write">
        <LinkButton href="/admin/packages/new" tone="primary">
          Grant package
        </LinkButton>
      </Allowed>
    </PageHeader>
    <Listing
      {...list}
      label="Packages"
      filters={[
        { name: "user_id", label: "Customer" },
        { name: "order_id", label: "Order" },
        { name: "status", label: "Status", options: statuses },
      ]}
      columns={[
        { title: "Name", cell: ({ id, name }) => <a href={`/admin/packages/${id}`}>{name}</a> },
        { title: "Customer", cell: (row) => <Holder {...row} names={names} /> },
        { title: "Order", cell: (row) => <Origin {...row} names={names} /> },
        { title: "Expires", cell: ({ expiresAt }) => <When at={expiresAt} none="never" /> },
        { title: "Status", cell: (row) => <Badge status={packageStatus(row, now)} /> },
        { title: "Downloads", numeric: true, cell: (row) => <Used {...row} /> },
      ]}
      none={{ title: "No packages yet", narrowed: "No matching packages" }}
    >
      Packages come from orders of products with files, or you grant them.
    </Listing>
  </>
);

type Named = PackageRow & { names: Names };

const Holder = ({ userId, names }: Named) =>
  userId === null ? <span class="muted">nobody</span> : <Reference to={`user:${userId}`} names={names} />;

const Origin = ({ orderId, names }: Named) =>
  orderId === null ? <span class="muted">granted</span> : <Reference to={`order:${orderId}`} names={names} />;

export const referencesOf = ({ userId, orderId }: PackageRow): string[] => [`user:${userId}`, `order:${orderId}`];

const Used = ({ downloadsUsed, downloadLimit }: PackageRow) => (
  <span>
    {downloadsUsed} of {downloadLimit ?? "any number"}
  </span>
);

const LIST = "/admin/packages";

export const NewPackagePage = ({ form, files }: { form: FormState; files: Choices["files"] }) => (
  <>
    <PageHeader title="Grant package" back={{ path: LIST, name: "Packages" }} />
    <div class="card">
      <Form form={form}>
        <PickerField form={form} name="user_id" label="Customer" hint="Name, e-mail address or id." required />
        <PackageFields form={form} files={namesOf(files)} />
        <div class="actions">
          <Button>Grant package</Button>
          <LinkButton href={LIST}>Cancel</LinkButton>
        </div>
      </Form>
    </div>
  </>
);

const PackageFields = ({ form, files }: { form: FormState; files: { id: number; name: string }[] }) => (
  <>
    <Field form={form} name="name" label="Name" hint="Shown to the customer." required maxlength={200} />
    <Fieldset form={form} name="file_ids" label="Files" hint="At least one." required>
      <div class="choices">
        {files.map(({ id, name }) => (
          <Checkbox form={form} name="file_ids" value={String(id)} label={name} />
        ))}
      </div>
    </Fieldset>
    <div class="columns">
      <Field form={form} name="download_limit" label="Downloads" inputmode="numeric" hint="Leave empty for no limit." />
      <Field
        form={form}
        name="expires_at"
        label="Expires (UTC)"
        type="datetime-local"
        hint="Leave empty for access that never expires."
      />
    </div>
  </>
);
