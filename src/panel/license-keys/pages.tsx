import type { Context } from "hono";
import { listAllLicenseKeys, requireLicenseKey } from "../../downloads/license-keys/admin.ts";
import { AllLicenseKeysQuery, licenseKeyFields } from "../../downloads/license-keys/admin-schemas.ts";
import { type LicenseKeyRow, licenseKeyStatus, licenseKeyStatuses } from "../../downloads/license-keys/schemas.ts";
import { accountScopeOf } from "../../platform/auth/caller.ts";
import { licenseKeyStart } from "../../platform/auth/license-keys.ts";
import { etagOf } from "../../platform/http/version.ts";
import { inputsOf, valuesOf } from "../forms/conversion.ts";
import { type Failed, type FormInputs, formFor } from "../forms/inputs.ts";
import { readFilters } from "../forms/read-form.ts";
import { When } from "../kit/dates.tsx";
import { Columns, Field } from "../kit/fields.tsx";
import { choiceFilter, ownLabels } from "../kit/filters.tsx";
import { ConfirmButton, Refusal } from "../kit/form.tsx";
import { Card, EmptyState, FormCard, RowHeader } from "../kit/page-parts.tsx";
import { Table } from "../kit/table.tsx";
import { Badge, CustomerReference, DescriptionList, Reference } from "../kit/values.tsx";
import { listPage } from "../list-page.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { withPicks } from "../pickers/resolve.ts";
import { readNames } from "../references.ts";

const LICENSE_KEYS_PATH = "/admin/license-keys";

/** A license key's form, by API field. */
export const licenseKeyInputs = inputsOf(licenseKeyFields) satisfies FormInputs;

export async function licenseKeyPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const row = await requireLicenseKey(c.var.db, id, accountScopeOf(c.var.caller));
  const names = await readNames(c.var.db, referencesOf(row));
  const path = `${LICENSE_KEYS_PATH}/${id}`;
  const etag = etagOf(row.updatedAt);
  const form = formFor(failed, path, { inputs: licenseKeyInputs, values: valuesOf(licenseKeyFields, row), etag });
  const isLive = row.revokedAt === null;
  const title = `${licenseKeyStart(row)}-…`;
  return page(
    c,
    title,
    <>
      <RowHeader
        title={title}
        statuses={<Badge status={licenseKeyStatus(row, Date.now())} />}
        audit={{ subject: "license_key", id }}
        deletion={
          isLive && {
            form: formFor(failed, `${path}/revoke`, { etag }),
            needs: "packages:write",
            label: "Revoke",
            title: "Revoke the license key?",
            text: "The software stops accepting it within a minute. This cannot be undone.",
          }
        }
      />
      <Refusal failed={failed} offered={isLive ? [path, `${path}/reset`, `${path}/revoke`] : [`${path}/reset`]} />
      <div class="record">
        <aside>
          <Card title={row.name}>
            <DescriptionList
              facts={{
                Customer: <CustomerReference userId={row.userId} names={names} />,
                Order: <Reference to={`order:${row.orderId}`} names={names} />,
                Issued: <When at={row.createdAt} />,
                Revoked: row.revokedAt === null ? undefined : <When at={row.revokedAt} />,
              }}
            />
          </Card>
        </aside>
        {isLive && (
          <FormCard title="Edit" form={form} needs="packages:write" button="Save license key">
            <Field form={form} name="activation_limit" />
            <Columns form={form} names={["expires_at", "updates_until"]} />
          </FormCard>
        )}
        <Card title="Devices">
          {row.instances.length === 0 ? (
            <EmptyState title="No devices">The key is not active on any device.</EmptyState>
          ) : (
            <>
              <Table label="Devices" rows={row.instances} columns={deviceColumns} phone="lines" />
              <ConfirmButton
                needs="packages:write"
                form={formFor(failed, `${path}/reset`, { etag })}
                label="Deactivate all"
                title="Deactivate all devices?"
                text="The customer can activate the key again on as many devices as it allows."
              />
            </>
          )}
        </Card>
      </div>
    </>,
  );
}

const deviceColumns = [
  { title: "Device", cell: ({ name }: LicenseKeyRow["instances"][number]) => name },
  { title: "Activated", cell: ({ createdAt }: LicenseKeyRow["instances"][number]) => <When at={createdAt} /> },
];

export const licenseKeyFilters = {
  key_start: { as: "search", label: "Key", placeholder: "The first groups of the key" },
  user_id: { as: "picker", label: "Customer", kinds: ["user"] },
  order_id: { as: "picker", label: "Order", kinds: ["order"] },
  product_id: { as: "picker", label: "Product", kinds: ["product"] },
  status: choiceFilter("Status", ownLabels(licenseKeyStatuses)),
} satisfies FormInputs;

export async function licenseKeysPage(c: Context<PanelEnv>) {
  const now = Date.now();
  const { query, form: typed } = readFilters(c, AllLicenseKeysQuery, licenseKeyFilters);
  const found = await listAllLicenseKeys(c.var.db, query, accountScopeOf(c.var.caller), now);
  const [names, form] = await Promise.all([readNames(c.var.db, found.rows.flatMap(referencesOf)), withPicks(c, typed)]);
  return listPage(c, {
    noun: "license keys",
    found,
    form,
    columns: [
      { title: "Key", cell: (row) => <a href={`${LICENSE_KEYS_PATH}/${row.id}`}>{licenseKeyStart(row)}-…</a> },
      { title: "Product", cell: ({ name }) => name },
      { title: "Customer", wide: true, cell: (row) => <CustomerReference userId={row.userId} names={names} /> },
      { title: "Order", wide: true, cell: ({ orderId }) => <Reference to={`order:${orderId}`} names={names} /> },
      { title: "Status", cell: (row) => <Badge status={licenseKeyStatus(row, now)} /> },
      {
        title: "Devices",
        numeric: true,
        cell: ({ activations, activationLimit }) => `${activations} of ${activationLimit}`,
      },
    ],
    start: { path: "/admin/products", label: "Choose a product", needs: "products:read_all" },
    purpose: "Set up “License keys and renewal” on a product: each sold unit then comes with a key.",
  });
}

const referencesOf = ({ userId, orderId }: LicenseKeyRow): string[] => [`user:${userId}`, `order:${orderId}`];
