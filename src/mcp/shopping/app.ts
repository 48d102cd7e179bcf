import type { Context } from "hono";
import { followWrites } from "../../apps/follow-events.ts";
import { newApi, settings } from "../../apps/new-app.ts";
import { readShop } from "../../back-office/shop/shop.ts";
import { notFound } from "../../domain/errors.ts";
import type { AppEnv } from "../../platform/auth/app-env.ts";
import { limitAddress } from "../../platform/auth/gates.ts";
import { database } from "../../platform/db/bookmark.ts";
import { jsonBodies, jsonLimit, plainBodies } from "../../platform/http/body-parsing.ts";
import { UCP_MCP_PATH } from "../../ucp/protocol.ts";
import { refuseOtherOrigins, serveMcp } from "../serve.ts";
import { shoppingServer } from "./server.ts";

/** The endpoint for shoppers' agents: the MCP binding of the Universal Commerce Protocol. */
export const shoppingMcpApp = newApi();

shoppingMcpApp.use(refuseOtherOrigins, settings, plainBodies, jsonLimit, jsonBodies, database, followWrites);
shoppingMcpApp.post(UCP_MCP_PATH, (c) =>
  serveMcp(c, async (method) => {
    // An operation asks this with its agent.
    if (method !== "tools/call") await requireOpen(c);
    return shoppingServer(c);
  }),
);

/** Refuses everything while the shop sells to no agents. */
async function requireOpen(c: Context<AppEnv>): Promise<void> {
  await limitAddress(c, "anonymous");
  const { agentAccess } = await readShop(c.var.db, c.var.settings.email);
  if (agentAccess === "off") throw notFound("This address");
}
