import type { Context } from "hono";
import { type Agent, identifyAgent } from "../integrations/agents/identify.ts";
import { AgentRefused } from "../integrations/agents/profile.ts";
import type { AppEnv } from "../platform/auth/app-env.ts";
import { authorOf, type WriteContext } from "../platform/auth/write-context.ts";
import { type ActiveCapabilities, negotiate, requireProtocolVersion, UcpError } from "./protocol.ts";

/**
 * First argument of every operation, whichever binding calls it. The second is its input. `origin` is the shop's own
 * URL, and `capabilities` are those that the agent and the shop share.
 */
export type UcpContext = Pick<WriteContext, "env" | "db" | "caller" | "settings" | "author"> & {
  origin: string;
  agent: Agent;
  capabilities: ActiveCapabilities;
};

/**
 * Admits the agent of a request, and returns the context of its operation. `named` is the agent if the binding does not
 * use the header.
 */
export async function ucpContextOf(c: Context<AppEnv>, named?: { profile: string }): Promise<UcpContext> {
  const { db, settings, requestId } = c.var;
  const caller = { kind: "anonymous" } as const;
  const agent = await identifyAgent(c, named).catch((error: unknown) => {
    throw error instanceof AgentRefused ? new UcpError(error.code, error.message) : error;
  });
  if (agent.version !== undefined) requireProtocolVersion(agent.version);
  // Its host appears in the history of orders.
  const actor = `agent:${new URL(agent.profile).host}`;
  return {
    env: c.env,
    db,
    settings,
    caller,
    author: { ...authorOf({ req: c.req, var: { requestId, settings, caller } }), actor },
    origin: new URL(c.req.url).origin,
    agent,
    capabilities: negotiate(agent.document),
  };
}
