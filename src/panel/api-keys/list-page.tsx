import type { Context } from "hono";
import {
  type ApiKeyRow,
  ApiKeysQuery,
  keyStates,
  stateAt,
  unusedSince,
} from "../../integrations/api-keys/admin-schemas.ts";
import { listApiKeys } from "../../integrations/api-keys/api-keys.ts";
import type { Options } from "../../platform/administration/fields.ts";
import { type Tier, tiers } from "../../platform/db/schema.ts";
import { policies } from "../../platform/rate-limit/policies.ts";
import type { FormInputs } from "../forms/inputs.ts";
import { readFilters } from "../forms/read-form.ts";
import { When } from "../kit/dates.tsx";
import { choiceFilter, ownLabels } from "../kit/filters.tsx";
import { Badge } from "../kit/values.tsx";
import { listPage } from "../list-page.tsx";
import type { PanelEnv } from "../page.tsx";

const tierNames: Record<Tier, string> = { standard: "Standard", premium: "Premium" };

const keyFilters = {
  search: { as: "search", label: "Search" },
  state: choiceFilter("State", ownLabels(keyStates)),
  tier: choiceFilter("Tier", Object.entries(tierNames)),
  unused: choiceFilter("Use", [["true", "Unused for 90 days"]]),
} satisfies FormInputs;

export const tierOptions: Options = tiers.map((tier) => [
  tier,
  `${tierNames[tier]}: ${policies[tier].limit} requests / ${policies[tier].seconds} s`,
]);

/** The state of a key, and whether it is a test key or unused. */
export const KeyStates = ({ apiKey, now }: { apiKey: ApiKeyRow; now: number }) => (
  <>
    <Badge status={stateAt(apiKey, now)} /> {apiKey.test && <Badge status="test mode" />}{" "}
    {unusedSince(apiKey, now) !== null && <Badge status="unused" />}
  </>
);

export async function apiKeysPage(c: Context<PanelEnv>) {
  const now = Date.now();
  const { query, form } = readFilters(c, ApiKeysQuery, keyFilters);
  return listPage(c, {
    noun: "API keys",
    title: "API Manager",
    found: await listApiKeys(c.var.db, query, now),
    form,
    add: { label: "Create New API Key", needs: "administrators" },
    columns: [
      { title: "Name", cell: ({ id, name }) => <a href={`/admin/api-keys/${id}`}>{name}</a> },
      { title: "Key", cell: ({ start }) => <code class="nowrap">{start}…</code> },
      { title: "Permissions", phone: "none", cell: ({ permissions }) => permissionsLabel(permissions) },
      { title: "Tier", wide: true, cell: ({ tier }) => <span class="nowrap">{tier}</span> },
      { title: "Expires", phone: "titled", cell: ({ expiresAt }) => <When at={expiresAt} none="never" brief="day" /> },
      {
        title: "Last used",
        phone: "titled",
        cell: ({ lastUsedAt }) => <When at={lastUsedAt} none="not yet" brief="day" />,
      },
      { title: "State", cell: (row) => <KeyStates apiKey={row} now={now} /> },
    ],
    none: { title: "No API keys yet", narrowed: "No matching keys" },
    purpose: "An API key lets your server call the API with the permissions you choose.",
  });
}

function permissionsLabel(permissions: string[]): string {
  if (!permissions.includes("read") || !permissions.includes("write")) return permissions.join(", ");
  return permissions.includes("payments:write") ? "everything" : "everything but payments";
}
