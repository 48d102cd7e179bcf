import type { Context } from "hono";
import { PackagesQuery, packageFields } from "../../downloads/packages/admin-schemas.ts";
import { listAllPackages } from "../../downloads/packages/packages.ts";
import { type PackageRow, packageStatus, packageStatuses } from "../../downloads/packages/schemas.ts";
import { accountScopeOf } from "../../platform/auth/caller.ts";
import { etagOf } from "../../platform/http/version.ts";
import { type FormChoices, namesOf, withChosen } from "../choices.ts";
import { inputsOf, valuesOf } from "../forms/conversion.ts";
import { byId, choosing, type Failed, type FormInputs, type FormState, formFor } from "../forms/inputs.ts";
import { number } from "../forms/kinds.ts";
import { readFilters } from "../forms/read-form.ts";
import { Allowed } from "../kit/allowed.tsx";
import { When } from "../kit/dates.tsx";
import { Columns, Field, Fields } from "../kit/fields.tsx";
import { choiceFilter, ownLabels } from "../kit/filters.tsx";
import { Button, ConfirmButton, Form, Refusal } from "../kit/form.tsx";
import { AuditLink, EmptyState, NewPage, PageHeader } from "../kit/page-parts.tsx";
import { Badge, DescriptionList, Reference } from "../kit/values.tsx";
import { listPage } from "../list-page.tsx";
import type { PanelEnv } from "../page.tsx";
import { withPicks } from "../pickers/resolve.ts";
import { type Names, readNames } from "../references.ts";

const PACKAGES_PATH = "/admin/packages";

type PackagePageProps = {
  row: PackageRow;
  names: Names;
  files: FormChoices["files"];
  failed: Failed | null;
  now: number;
};

export const PackagePage = ({ row, names, files, failed, now }: PackagePageProps) => {
  const path = `${PACKAGES_PATH}/${row.id}`;
  const isLive = row.revokedAt === null;
  return (
    <>
      <PageHeader
        title={row.name}
        back={{ path: PACKAGES_PATH, name: "Packages" }}
        statuses={<Badge status={packageStatus(row, now)} />}
      >
        <AuditLink subject="package" id={row.id} />
        {isLive && (
          <Allowed to="packages:write">
            <ConfirmButton
              form={formFor(failed, `${path}/revoke`, { etag: etagOf(row.updatedAt) })}
              label="Revoke"
              title={`Revoke ${row.name}?`}
              text="Downloads stop immediately, including existing download links."
            />
          </Allowed>
        )}
      </PageHeader>
      <Refusal failed={failed} offered={isLive ? [path, `${path}/revoke`] : []} />
      <div class="record">
        <aside>
          <section class="card">
            <h2>Downloads</h2>
            <p>
              <Used {...row} />
            </p>
            {row.downloadLimit !== null && (
              <progress aria-label="Downloads used" value={row.downloadsUsed} max={row.downloadLimit} />
            )}
            <DescriptionList
              facts={{
                Customer: <Holder {...row} names={names} />,
                Order: <Origin {...row} names={names} />,
                Starts: <When at={row.startsAt} />,
                Expires: <When at={row.expiresAt} none="never" />,
                Revoked: row.revokedAt === null ? undefined : <When at={row.revokedAt} />,
                Files: <Files files={row.files} />,
              }}
            />
          </section>
        </aside>
        <section class="card">
          {isLive ? (
            <>
              <h2>Edit</h2>
              <Edit row={row} files={files} failed={failed} />
            </>
          ) : (
            <EmptyState title="This package was revoked">
              Its files cannot be downloaded any more. To give access again, grant a new package.
            </EmptyState>
          )}
        </section>
      </div>
    </>
  );
};

const Files = ({ files }: Pick<PackageRow, "files">) => (
  <ul class="entries">
    {files.map(({ id, name }) => (
      <li>
        <a href={`/admin/files/${id}`}>{name}</a>
      </li>
    ))}
  </ul>
);

const Edit = ({ row, files, failed }: Omit<PackagePageProps, "now" | "names">) => {
  const form = formFor(failed, `${PACKAGES_PATH}/${row.id}`, {
    inputs: packageInputs(withChosen(namesOf(files), row.files)),
    values: valuesOf(packageFields, { ...row, fileIds: row.files.map(({ id }) => id) }),
    etag: etagOf(row.updatedAt),
  });
  return (
    <Form form={form} needs="packages:write">
      <PackageFields form={form} />
      <Button>Save package</Button>
    </Form>
  );
};

export const packageFilters = {
  user_id: { as: "picker", label: "Customer", kinds: ["user"] },
  order_id: { as: "picker", label: "Order", kinds: ["order"] },
  status: choiceFilter("Status", ownLabels(packageStatuses)),
} satisfies FormInputs;

export async function packagesPage(c: Context<PanelEnv>) {
  const now = Date.now();
  const { query, form: typed } = readFilters(c, PackagesQuery, packageFilters);
  const found = await listAllPackages(c.var.db, query, accountScopeOf(c.var.caller), now);
  const [names, form] = await Promise.all([
    readNames(c.var.db, found.rows.flatMap(packageReferences)),
    withPicks(c, typed),
  ]);
  return listPage(c, {
    title: "Packages",
    found,
    form,
    add: { label: "Grant package", needs: "packages:write" },
    columns: [
      { title: "Name", cell: ({ id, name }) => <a href={`${PACKAGES_PATH}/${id}`}>{name}</a> },
      { title: "Customer", cell: (row) => <Holder {...row} names={names} /> },
      { title: "Order", wide: true, cell: (row) => <Origin {...row} names={names} /> },
      { title: "Expires", phone: "none", cell: ({ expiresAt }) => <When at={expiresAt} none="never" brief="day" /> },
      { title: "Status", cell: (row) => <Badge status={packageStatus(row, now)} /> },
      { title: "Downloads", numeric: true, cell: (row) => <Used {...row} /> },
    ],
    none: { title: "No packages yet", narrowed: "No matching packages" },
    purpose: "Packages come from orders of products with files, or you grant them.",
  });
}

type NamedPackage = PackageRow & { names: Names };

const Holder = ({ userId, names }: NamedPackage) =>
  userId === null ? <span class="muted">nobody</span> : <Reference to={`user:${userId}`} names={names} />;

const Origin = ({ orderId, names }: NamedPackage) =>
  orderId === null ? <span class="muted">granted</span> : <Reference to={`order:${orderId}`} names={names} />;

export const packageReferences = ({ userId, orderId }: PackageRow): string[] => [`user:${userId}`, `order:${orderId}`];

const Used = ({ downloadsUsed, downloadLimit }: PackageRow) => (
  <span>{downloadLimit === null ? `${downloadsUsed}, no limit` : `${downloadsUsed} of ${downloadLimit}`}</span>
);

const declared = inputsOf(packageFields);

/** A package's form, by API field. */
export const packageInputs = (files: readonly { id: number; name: string }[]) =>
  ({ ...declared, file_ids: choosing(declared.file_ids, byId(files)) }) satisfies FormInputs;

/** The form of a new package. */
export const newPackageInputs = (files: FormChoices["files"]) =>
  ({
    user_id: {
      as: "picker",
      label: "Customer",
      hint: "Name, e-mail address or id.",
      kinds: ["user"],
      required: true,
      read: number,
    },
    ...packageInputs(namesOf(files)),
  }) satisfies FormInputs;

type PackageForm<Name extends string = never> = { form: FormState<Name | keyof ReturnType<typeof packageInputs>> };

export const NewPackagePage = ({ form }: PackageForm<"user_id">) => (
  <NewPage title="Grant package" back={{ path: PACKAGES_PATH, name: "Packages" }} form={form} button="Grant package">
    <Field form={form} name="user_id" />
    <PackageFields form={form} />
  </NewPage>
);

const PackageFields = ({ form }: PackageForm) => (
  <>
    <Fields form={form} names={["name", "file_ids"]} />
    <Columns form={form} names={["download_limit", "expires_at"]} />
  </>
);
