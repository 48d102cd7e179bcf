import { type Context, Hono } from "hono";
import { ShopUpdate, shopFields } from "../../back-office/shop/fields.ts";
import { changeShop, readShop } from "../../back-office/shop/shop.ts";
import { listAgents } from "../../integrations/agents/agents.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import { etagOf } from "../../platform/http/version.ts";
import { submitForm } from "../forms/attempt.ts";
import { inputsOf, kindsOf, valuesOf } from "../forms/conversion.ts";
import { type Failed, formFor } from "../forms/inputs.ts";
import { When } from "../kit/dates.tsx";
import { Fields } from "../kit/fields.tsx";
import { AuditLink, EmptyState, FormCard, PageHeader } from "../kit/page-parts.tsx";
import { Table } from "../kit/table.tsx";
import { type PanelEnv, page } from "../page.tsx";

const AGENTS = "/admin/agents";

const MAX_ROWS = 20;

const { agent_access, agent_hosts } = shopFields;
const fields = { agent_access, agent_hosts };
const inputs = inputsOf(fields);

export const agentPages = new Hono<PanelEnv>()
  .get("/agents", administer("settings:read"), (c) => agentsPage(c, null))
  .post(
    "/agents",
    administer("settings:write"),
    submitForm(agentsPage, async (c, sent) => {
      const change = sent.readChange(ShopUpdate, kindsOf(inputs));
      await changeShop(writeContextOf(c), { change, ifMatch: sent.ifMatch });
      return "The settings for assistants were saved.";
    }),
  );

async function agentsPage(c: Context<PanelEnv>, failed: Failed | null) {
  const [shop, { rows }] = await Promise.all([
    readShop(c.var.db, c.var.settings.email),
    listAgents(c.var.db, { page: 1, per_page: MAX_ROWS }),
  ]);
  const form = formFor(failed, AGENTS, { inputs, values: valuesOf(fields, shop), etag: etagOf(shop.updatedAt) });
  const profile = `${new URL(c.req.url).origin}/.well-known/ucp`;
  return page(
    c,
    "Shopping assistants",
    <>
      <PageHeader title="Shopping assistants">
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
