import { type Context, Hono } from "hono";
import { shopFields } from "../../back-office/shop/fields.ts";
import { listAgents } from "../../integrations/agents/agents.ts";
import { administer } from "../../platform/auth/gates.ts";
import { submitForm } from "../forms/attempt.ts";
import type { Failed } from "../forms/inputs.ts";
import { When } from "../kit/dates.tsx";
import { Fields } from "../kit/fields.tsx";
import { AuditLink, EmptyState, FormCard, PageHeader } from "../kit/page-parts.tsx";
import { Table } from "../kit/table.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { shopSettings } from "../shop-settings.ts";

const AGENTS = "/admin/agents";

const MAX_ROWS = 20;

const { agent_access, agent_hosts } = shopFields;
const settings = shopSettings(AGENTS, { agent_access, agent_hosts }, "The settings for assistants were saved.");

export const agentPages = new Hono<PanelEnv>()
  .get("/agents", administer("settings:read"), (c) => agentsPage(c, null))
  .post("/agents", administer("settings:write"), submitForm(agentsPage, settings.save));

async function agentsPage(c: Context<PanelEnv>, failed: Failed | null) {
  const [{ shop, form }, { rows }] = await Promise.all([
    settings.read(c, failed),
    listAgents(c.var.db, { page: 1, per_page: MAX_ROWS }),
  ]);
  const profile = `${new URL(c.req.url).origin}/.well-known/ucp`;
  return page(
    c,
    "Shopping assistants",
    <>
      <PageHeader>
        <AuditLink subject="shop" id={1} />
      </PageHeader>
      <p class="muted">
        Shopping assistants search your products, fill carts and buy for the people who use them.
        {shop.agentAccess !== "off" && (
          <>
            {" "}
            They find your shop at <a href={profile}>{profile}</a> (Universal Commerce Protocol).
          </>
        )}
      </p>
      <FormCard form={form} needs="settings:write" button="Save">
        <Fields form={form} names={["agent_access", "agent_hosts"]} />
      </FormCard>
      <h2>Last seen</h2>
      <Table
        label="Assistants seen last"
        phone="lines"
        rows={rows}
        columns={[
          { title: "Assistant", cell: ({ profileUrl }) => <code>{profileUrl}</code> },
          { title: "First seen", cell: ({ createdAt }) => <When at={createdAt} /> },
          { title: "Last seen", cell: ({ seenAt }) => <When at={seenAt} /> },
        ]}
        none={<EmptyState title="No assistants yet">Assistants that proved who they are appear here.</EmptyState>}
      />
    </>,
  );
}
