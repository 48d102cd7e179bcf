import { Hono } from "hono";
import * as z from "zod";
import { iso, Timestamp } from "../../domain/fields.ts";
import { toRecord } from "../../domain/record.ts";
import { type AppEnv, administer } from "../../platform/auth/gates.ts";
import { list } from "../../platform/http/envelope.ts";
import { PageQuery } from "../../platform/http/pagination.ts";
import { lists } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import { type AgentRow, listAgents } from "./agents.ts";

const ShoppingAgent = z
  .object({
    id: z.int(),
    profile: z.string().describe("Address of the profile of the agent's platform"),
    last_seen_at: Timestamp.describe("Time of the agent's last request, or up to an hour before it"),
    created_at: Timestamp.describe("Time of the agent's first request"),
  })
  .meta({ id: "Agent" });

const toAgent = (row: AgentRow): z.output<typeof ShoppingAgent> =>
  toRecord(ShoppingAgent, row, { profile: row.profileUrl, last_seen_at: iso(row.seenAt) });

export const agentsAdmin = new Hono<AppEnv>().get(
  "/agents",
  administer("settings:read"),
  validate("query", PageQuery),
  lists("listAgents", "List shopping agents that signed a request", ShoppingAgent),
  async (c) => {
    const page = await listAgents(c.var.db, c.req.valid("query"));
    return list(c, "Agents", page, toAgent);
  },
);
