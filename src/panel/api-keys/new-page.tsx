import type { Context } from "hono";
import type { PropsWithChildren } from "hono/jsx";
import type { ApiKeyWithSecret } from "../../integrations/api-keys/admin-schemas.ts";
import { apiKeyFields } from "../../integrations/api-keys/fields.ts";
import {
  type Permission,
  type PermissionNoun,
  permits,
  readAll,
  resources,
  storefrontPermissions,
} from "../../platform/auth/roles.ts";
import { inputsOf, valuesOf } from "../forms/conversion.ts";
import { choosing, type Failed, type FormInputs, type FormState, formFor } from "../forms/inputs.ts";
import { Choice, Field, Fields, Group } from "../kit/fields.tsx";
import { NewPage, ShownOnce } from "../kit/page-parts.tsx";
import { CopyField } from "../kit/values.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { tierOptions } from "./list-page.tsx";

const API_KEYS_PATH = "/admin/api-keys";

const storefrontKey = { name: "Storefront", permissions: storefrontPermissions };

/** `?for=storefront` preselects the permissions that a storefront's key needs. */
export function newApiKeyPage(c: Context<PanelEnv>, failed: Failed | null) {
  const isForStorefront = c.req.query("for") === "storefront";
  const values = { ...valuesOf(apiKeyFields), ...(isForStorefront && storefrontKey) };
  const form = formFor(failed, API_KEYS_PATH, { inputs: newKeyInputs, values });
  return page(
    c,
    "Create New API Key",
    <NewPage title="Create New API Key" form={form} button="Create New API Key" hasCards>
      <KeyFields form={form}>
        <section class="card">
          <Field form={form} name="test" />
        </section>
      </KeyFields>
    </NewPage>,
  );
}

const declared = inputsOf(apiKeyFields);

export const keyInputs = { ...declared, tier: choosing(declared.tier, tierOptions) } satisfies FormInputs;

/** The choice of a test key, which can only be made when a key is created. */
export const newKeyInputs = {
  ...keyInputs,
  test: {
    as: "flag",
    label: "Test key",
    hint: "Begins with sfk_test_. Its orders move no money, take no stock and send no e-mails. It cannot become a live key.",
  },
} satisfies FormInputs;

type KeyForm = { form: FormState<keyof typeof keyInputs> };
type PermissionForm = { form: FormState<"permissions"> };

export const KeyFields = ({ form, children }: PropsWithChildren<KeyForm>) => (
  <div class="editor">
    <div>
      <section class="card">
        <Field form={form} name="name" />
        <PermissionGrid form={form} />
      </section>
    </div>
    <div>
      <section class="card">
        <Fields form={form} names={["tier", "expires_at"]} />
      </section>
      <section class="card">
        <Fields form={form} names={["allowed_addresses", "allowed_origins"]} />
      </section>
      {children}
    </div>
  </div>
);

/** Explains resources whose names are not enough. */
const hints: { [Name in PermissionNoun]?: string } = {
  products: "with categories; read shows what shoppers see",
  orders: "of all customers; includes checkout",
  shipments: "ship orders, without seeing e-mail addresses; included in orders",
  users: "all customers; write includes sessions",
  sessions: "sign customers up, in and out",
  checkout: "place guest orders; read and cancel those of this key",
  files: "read opens those for everybody and for all accounts",
  packages: "who may download what",
  payments: "mark paid, refund, credit wallets",
  events: "events of resources the key can read",
  settings: "shop, shipping and taxes",
  metrics: "health, alerts and figures, for monitoring",
};

/** Explains `readAll` where it is more than `read`. */
const widerReads: { [Name in PermissionNoun]?: string } = {
  products: "drafts and stock history too; included in write",
  files: "unpublished ones too; included in write",
};

type PermissionRow = { title: string; hint?: string | undefined; read: string; write?: string };

/** Resources by action. The first row covers all of them except payments, which must be granted by name. */
const permissionRows: PermissionRow[] = [
  { title: "everything", hint: "but payments", read: "read", write: "write" },
  ...resources.flatMap((name) => [
    { title: name, hint: hints[name], read: `${name}:read`, write: `${name}:write` },
    ...(widerReads[name] ? [{ title: `all ${name}`, hint: widerReads[name], read: readAll(name) }] : []),
  ]),
];

export const PermissionGrid = ({ form }: PermissionForm) => (
  <Group form={form} name="permissions">
    <PermissionRows form={form} offered={() => true} />
  </Group>
);

/** The choices of permissions that are offered, with a row for each resource that has any. */
export const PermissionRows = ({ form, offered }: PermissionForm & { offered: (name: string) => boolean }) => (
  <div class="permissions">
    {permissionRows.map(({ title, hint, read, write }) => {
      const names = [read, ...(write ? [write] : [])].filter(offered);
      if (names.length === 0) return null;
      return (
        <div class="permission">
          <div>
            <span class="resource">{title}</span> {hint && <span class="muted">{hint}</span>}
          </div>
          {names.map((name) => (
            <Choice form={form} name="permissions" value={name}>
              <Action of={title} name={name === write ? "write" : "read"} />
            </Choice>
          ))}
        </div>
      );
    })}
  </div>
);

/** Names the row for screen readers. */
const Action = ({ of, name }: { of: string; name: string }) => (
  <>
    <span class="unseen">{of} </span>
    {name}
  </>
);

export const ShownOncePage = ({ minted, url }: { minted: ApiKeyWithSecret; url: string }) => (
  <ShownOnce
    warning={
      <>
        Copy the key of <strong>{minted.name}</strong> now and keep it in a secret store. It is shown only once. Anyone
        with this key can use its permissions.
      </>
    }
    next={`${API_KEYS_PATH}/${minted.id}`}
  >
    <CopyField id="api-key" label="API key" value={minted.key} />
    <CopyField id="api-key-curl" label="Try it" value={tryOut(minted.key, minted.permissions, new URL(url).origin)} />
    <CopyField id="api-key-mcp" label="Connect Claude Code" value={connectAssistant(minted.key, new URL(url).origin)} />
  </ShownOnce>
);

/** A command that lets an assistant use the API with the key. docs/mcp.md has the settings of other clients. */
const connectAssistant = (key: string, origin: string): string =>
  `claude mcp add --transport http shop "${origin}/mcp/admin" --header "Authorization: Bearer ${key}"`;

/** Requests that need only the permission and have no lasting effect. */
const requests: [needed: Permission, request: string, path: string][] = [
  ["products:read", "", "/api/v1/user/products?per_page=1"],
  ["checkout:read", "", "/api/v1/user/account/orders?per_page=1"],
  ["files:read", "", "/api/v1/user/files?per_page=1"],
  ["users:read", "", "/api/v1/admin/users?per_page=1"],
  ["carts:read", "", "/api/v1/user/cart"],
  ["carts:write", "-X DELETE ", "/api/v1/user/cart"],
];

function tryOut(key: string, granted: string[], origin: string): string {
  const [, request = "", path = "/api/v1/user/products"] = requests.find(([needed]) => permits(granted, needed)) ?? [];
  return `curl -i ${request}-H "Authorization: Bearer ${key}" "${origin}${path}"`;
}
