import type { MintedApiKey } from "../../integrations/api-keys/admin-schemas.ts";
import { type Permission, permits } from "../../platform/auth/permissions.ts";
import { LinkButton } from "../kit/buttons.tsx";
import { CopyField } from "../kit/copy-field.tsx";
import { PageHeader } from "../kit/page-header.tsx";

/** A key's value, which no later page can show. */
export const ShownOncePage = ({ title, minted, url }: { title: string; minted: MintedApiKey; url: string }) => (
  <>
    <PageHeader title={title} back={{ path: "/admin/api-keys", name: "API Manager" }} />
    <div class="card">
      <p class="notice warning">
        Copy the key of <strong>{minted.name}</strong> now and keep it in a secret store. It is shown only once. Anyone
        with this key can use its permissions.
      </p>
      <CopyField id="api-key" label="API key" value={minted.key} />
      <CopyField id="api-key-curl" label="Try it" value={tryOut(minted.key, minted.permissions, new URL(url).origin)} />
      <LinkButton href={`/admin/api-keys/${minted.id}`} tone="primary">
        I have copied it
      </LinkButton>
    </div>
  </>
);

/** Requests that need nothing but the permission, and change nothing that anybody misses. */
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
