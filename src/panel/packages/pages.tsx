import type { Context } from "hono";
import { PackagesQuery, packageFields } from "../../downloads/packages/admin-schemas.ts";
import { listAllPackages, requirePackage } from "../../downloads/packages/packages.ts";
import { type PackageRow, packageStatus, packageStatuses } from "../../downloads/packages/schemas.ts";
import { accountScopeOf } from "../../platform/auth/caller.ts";
import { etagOf } from "../../platform/http/version.ts";
import { type FormChoices, namesOf, readChoices, withChosen } from "../choices.ts";
import { inputsOf, valuesOf } from "../forms/conversion.ts";
import { byId, choosing, type Failed, type FormInputs, type FormState, formFor } from "../forms/inputs.ts";
import { number } from "../forms/kinds.ts";
import { readFilters } from "../forms/read-form.ts";
import { When } from "../kit/dates.tsx";
import { Columns, Field, Fields } from "../kit/fields.tsx";
import { choiceFilter, ownLabels } from "../kit/filters.tsx";
import { ConfirmButton, Refusal } from "../kit/form.tsx";
import { AuditLink, Card, EmptyState, FormCard, NewPage, PageHeader } from "../kit/page-parts.tsx";
import { Badge, DescriptionList, Reference } from "../kit/values.tsx";
import { listPage } from "../list-page.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { withPicks } from "../pickers/resolve.ts";
import { type Names, readNames } from "../references.ts";

const PACKAGES_PATH = "/admin/packages";

export async function packagePage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const [row, { files }] = await Promise.all([
    requirePackage(c.var.db, id, accountScopeOf(c.var.caller)),
    readChoices(c.var.db),
  ]);
  const names = await readNames(c.var.db, packageReferences(row));
  const path = `${PACKAGES_PATH}/${id}`;
  const etag = etagOf(row.updatedAt);
  const form = formFor(failed, path, {
    inputs: packageInputs(withChosen(namesOf(files), row.files)),
    values: valuesOf(packageFields, { ...row, fileIds: row.files.map((file) => file.id) }),
    etag,
  });
  const isLive = row.revokedAt === null;
  return page(
    c,
    row.name,
    <>
      <PageHeader title={row.name} statuses={<Badge status={packageStatus(row, Date.now())} />}>
        <AuditLink subject="package" id={id} />
        {isLive && (
          <ConfirmButton
            needs="packages:write"
            form={formFor(failed, `${path}/revoke`, { etag })}
            label="Revoke"
            title={`Revoke ${row.name}?`}
            text="Downloads stop immediately, including existing download links."
          />
        )}
      </PageHeader>
      <Refusal failed={failed} offered={isLive ? [path, `${path}/revoke`] : []} />
      <div class="record">
        <aside>
          <Card title="Downloads">
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
          </Card>
        </aside>
        {isLive ? (
          <FormCard title="Edit" form={form} needs="packages:write" button="Save package">
            <PackageFields form={form} />
          </FormCard>
        ) : (
          <section class="card">
            <EmptyState title="This package was revoked">
              Its files cannot be downloaded any more. To give access again, grant a new package.
            </EmptyState>
          </section>
        )}
      </div>
    </>,
  );
}

const Files = ({ files }: Pick<PackageRow, "files">) => (
  <ul class="entries">
    {files.map(({ id, name }) => (
      <li>
        <a href={`/admin/files/${id}`}>{name}</a>
      </li>
    ))}
  </ul>
);

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
    noun: "packages",
    found,
    form,
    add: { label: "Grant package", needs: "packages:write" },
    columns: [
      { title: "Name", cell: ({ id, name }) => <a href={`${PACKAGES_PATH}/${id}`}>{name}</a> },
      { title: "Customer", cell: (row) => <Holder {...row} names={names} /> },
      { title: "Order", wide: true, cell: (row) => <Origin {...row} names={names} /> },
      { title: "Expires", phone: "none", cell: ({ expiresAt }) => <When at={expiresAt} none="never" brief="day" /> },
      { title: "Status", cell: (row) => <Badge status={packageStatus(row, now)} /> },
      { title: "Downloads", numeric: true, phone: "titled", cell: (row) => <Used {...row} /> },
    ],
    purpose: "Packages come from orders of products with files, or you grant them.",
  });
}

type NamedPackage = PackageRow & { names: Names };

const Holder = ({ userId, names }: NamedPackage) =>
  userId === null ? <span class="muted">nobody</span> : <Reference to={`user:${userId}`} names={names} />;

const Origin = ({ orderId, names }: NamedPackage) =>
  orderId === null ? <span class="muted">granted</span> : <Reference to={`order:${orderId}`} names={names} />;

const packageReferences = ({ userId, orderId }: PackageRow): string[] => [`user:${userId}`, `order:${orderId}`];

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
      hint: "Name or e-mail address.",
      kinds: ["user"],
      required: true,
      read: number,
    },
    ...packageInputs(namesOf(files)),
  }) satisfies FormInputs;

type PackageForm = { form: FormState<keyof ReturnType<typeof packageInputs>> };

export async function newPackagePage(c: Context<PanelEnv>, failed: Failed | null) {
  const { files } = await readChoices(c.var.db);
  const values = { user_id: c.req.query("user_id") ?? "" };
  const form = await withPicks(c, formFor(failed, PACKAGES_PATH, { inputs: newPackageInputs(files), values }));
  return page(
    c,
    "Grant package",
    <NewPage form={form} button="Grant package">
      <Field form={form} name="user_id" />
      <PackageFields form={form} />
    </NewPage>,
  );
}

const PackageFields = ({ form }: PackageForm) => (
  <>
    <Fields form={form} names={["name", "file_ids"]} />
    <Columns form={form} names={["download_limit", "expires_at"]} />
  </>
);
