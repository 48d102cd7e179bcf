import type { Context } from "hono";
import { type InstallationRow, listInstallations, requireInstallation } from "../../integrations/apps/installations.ts";
import { listClients } from "../../integrations/apps/register.ts";
import type { AppRow } from "../../integrations/apps/tables.ts";
import { lastHourOf } from "../../platform/auth/api-keys/home.ts";
import { PageQuery } from "../../platform/http/pagination.ts";
import { etagOf } from "../../platform/http/version.ts";
import { historyOfKey } from "../../platform/metrics/figures.ts";
import { History } from "../api-keys/edit-page.tsx";
import { keyInputs, PermissionGrid } from "../api-keys/new-page.tsx";
import { UsageChart } from "../api-keys/usage.tsx";
import { type Failed, type FormInputs, formFor } from "../forms/inputs.ts";
import { readFilters } from "../forms/read-form.ts";
import { When } from "../kit/dates.tsx";
import { AllFields, Field } from "../kit/fields.tsx";
import { Button, ConfirmButton, Form, LinkButton, Refusal } from "../kit/form.tsx";
import { Pagination } from "../kit/listing.tsx";
import { AuditLink, FormCard, Live, PageHeader } from "../kit/page-parts.tsx";
import { Table } from "../kit/table.tsx";
import { CopyField, DescriptionList } from "../kit/values.tsx";
import { listPage } from "../list-page.tsx";
import { type PanelEnv, page } from "../page.tsx";

const CLIENTS = { path: "/admin/apps/registered", name: "All apps" };

/** The host of an app that describes itself at its client id, or else the publisher that an administrator named. */
const sourceOf = ({ clientId, publisher }: Pick<AppRow, "clientId" | "publisher">): string =>
  publisher ?? URL.parse(clientId)?.host ?? clientId;

export async function appsPage(c: Context<PanelEnv>) {
  const { query, form } = readFilters(c, PageQuery, {});
  return listPage(c, {
    noun: "apps",
    found: await listInstallations(c.var.db, query),
    form,
    actions: <LinkButton href={CLIENTS.path}>{CLIENTS.name}</LinkButton>,
    columns: [
      { title: "App", cell: ({ id, app }) => <a href={`/admin/apps/${id}`}>{app.name}</a> },
      { title: "From", cell: ({ app }) => sourceOf(app) },
      { title: "Permissions", phone: "none", cell: ({ permissions }) => permissions.join(", ") },
      { title: "Installed by", cell: (row) => <Installer {...row} /> },
      {
        title: "Last used",
        phone: "titled",
        cell: ({ lastUsedAt }) => <When at={lastUsedAt} none="not yet" brief="day" />,
      },
    ],
    purpose: "An app works with the shop with permissions that you choose. Install one from its own website.",
  });
}

const Installer = ({ installedBy, isInstallerAdmin }: InstallationRow) => (
  <>
    {installedBy} {!isInstallerAdmin && <span class="badge busy">no longer an administrator</span>}
  </>
);

const { permissions, tier } = keyInputs;
export const installationInputs = { permissions, tier } satisfies FormInputs;

export async function appPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const row = await requireInstallation(c.var.db, id);
  const now = Date.now();
  const [usage, history] = await Promise.all([lastHourOf(c.env, row.start), historyOfKey(c.var.db, id, now)]);
  const path = `/admin/apps/${id}`;
  const etag = etagOf(row.updatedAt);
  const values = { permissions: row.permissions, tier: row.tier };
  const form = formFor(failed, path, { inputs: installationInputs, values, etag });
  return page(
    c,
    row.app.name,
    <>
      <PageHeader>
        <AuditLink subject="api_key" id={id} />
        <ConfirmButton
          form={formFor(failed, `${path}/remove`, { etag })}
          label="Remove"
          title={`Remove ${row.app.name}?`}
          text="Its requests are refused immediately and its webhooks are deleted. To use it again, install it again."
        />
      </PageHeader>
      <Refusal failed={failed} offered={[path, `${path}/remove`]} />
      {!row.isInstallerAdmin && (
        <p class="notice warning">
          {row.installedBy}, who installed this app, is no longer an administrator. Remove the app if nobody else needs
          it.
        </p>
      )}
      <section class="card">
        <DescriptionList
          facts={{
            From: sourceOf(row.app),
            "Installed by": row.installedBy,
            Installed: <When at={row.createdAt} />,
            "Last used": <When at={row.lastUsedAt} none="not yet" />,
          }}
        />
        <Live id="usage" src={`${path}/usage`} seconds={5}>
          <UsageChart usage={usage} now={now} />
        </Live>
      </section>
      <History {...history} usage={usage} />
      <Form form={form} save="Save app">
        <section class="card">
          <PermissionGrid form={form} />
          <Field form={form} name="tier" />
        </section>
      </Form>
    </>,
  );
}

export const registrationInputs = {
  name: { as: "text", label: "Name", required: true, maxlength: 100 },
  publisher: { as: "text", label: "Publisher", hint: "Who develops the app.", required: true, maxlength: 100 },
  redirect_uris: {
    as: "list",
    label: "Redirect addresses",
    hint: "One on each line, exactly as the app sends them.",
    required: true,
  },
  confidential: {
    as: "flag",
    label: "Create a client secret",
    hint: "For an app that runs on a server. Leave it out for one that runs on people's devices.",
  },
} satisfies FormInputs;

export async function clientsPage(c: Context<PanelEnv>, failed: Failed | null) {
  const { query } = readFilters(c, PageQuery, {});
  const { rows, ...place } = await listClients(c.var.db, query);
  const form = formFor(failed, CLIENTS.path, { inputs: registrationInputs });
  return page(
    c,
    CLIENTS.name,
    <>
      <PageHeader />
      <section class="card">
        <p class="muted">
          Most apps describe themselves and need no registration. They are listed once somebody installs or connects
          them. Register an app if its developer asks for a client id.
        </p>
        <Table
          label={CLIENTS.name}
          rows={rows}
          columns={[
            { title: "Name", cell: (row) => <Known {...row} /> },
            { title: "From", cell: sourceOf },
            { title: "Client id", cell: ({ clientId }) => <code>{clientId}</code> },
            { title: "Access", cell: (row) => <Access row={row} failed={failed} /> },
          ]}
          none={<p>No apps yet.</p>}
        />
        <Pagination page={place} url={c.req.url} />
      </section>
      <FormCard title="Register an app" form={form} button="Register app">
        <AllFields form={form} />
      </FormCard>
    </>,
  );
}

const Known = ({ name, deletedAt }: AppRow) => (
  <>
    {name} {deletedAt !== null && <span class="badge bad">blocked</span>}
  </>
);

/** The button that ends the access of an app to the shop, or gives it back. */
const Access = ({ row: { id, name, publisher, deletedAt }, failed }: { row: AppRow; failed: Failed | null }) => {
  const formOf = (action: string) => formFor(failed, `${CLIENTS.path}/${id}/${action}`);
  if (deletedAt !== null)
    return (
      <Form form={formOf("unblock")} plain>
        <Button tone="quiet">Unblock</Button>
      </Form>
    );
  const label = publisher === null ? "Block" : "Delete";
  return (
    <ConfirmButton
      form={formOf("block")}
      label={label}
      title={`${label} ${name}?`}
      text="It is removed from everybody who installed or connected it, and nobody can use it from now on."
    />
  );
};

/** The credentials of a newly registered app. */
export const RegisteredPage = ({ clientId, secret }: { clientId: string; secret: string | null }) => (
  <>
    <PageHeader title="App registered" />
    <section class="card">
      {secret !== null && (
        <p class="notice warning">Copy the secret now. It is shown only once. Give both values to the app.</p>
      )}
      <CopyField id="client-id" label="Client id" value={clientId} />
      {secret !== null && <CopyField id="client-secret" label="Client secret" value={secret} />}
      <LinkButton href={CLIENTS.path}>{CLIENTS.name}</LinkButton>
    </section>
  </>
);
