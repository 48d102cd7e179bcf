import type { HonoRequest } from "hono";
import type { ShopRow } from "../back-office/shop/fields.ts";
import { notFound } from "../domain/errors.ts";
import { refusalOfUrl } from "../platform/http/outbound.ts";
import type { Settings } from "../platform/settings/settings.ts";
import { type AgentProfile, requireProtocolVersion } from "./negotiate.ts";
import { ProtocolError } from "./protocol.ts";

// Who may use the shop by the protocol. Every binding asks here, and nowhere else.

/** An agent that was admitted. `document` is its profile as fetched, or null if it was not. */
export type Agent = { profile: string; document: AgentProfile | null };

/** An agent as a request names it. */
type NamedAgent = { profile: string; version?: string | undefined };

type Asking = { req: HonoRequest; shop: Pick<ShopRow, "agentAccess">; settings: Pick<Settings, "webhooks"> };

/** Admits the agent that a request names, in its header or in `named`, or throws why not. */
export async function admitAgent({ req, shop, settings }: Asking, named?: NamedAgent): Promise<Agent> {
  if (shop.agentAccess === "off") throw notFound("This address");
  const { profile, version } = named ?? namedAgent(req.header("UCP-Agent"));
  const refusal = refusalOfUrl(profile, settings.webhooks);
  if (refusal !== null) throw new ProtocolError("invalid_profile_url", `The profile address ${refusal}`);
  if (version !== undefined) requireProtocolVersion(version);
  if (shop.agentAccess === "listed") throw new ProtocolError("agent_not_allowed", "The shop does not admit this agent");
  return { profile, document: null };
}

/** Reads `UCP-Agent: profile="https://…"`, a dictionary of RFC 8941, with an optional version. */
function namedAgent(header: string | undefined): NamedAgent {
  const member = (name: string) => new RegExp(`(?:^|[,;])\\s*${name}="([^"\\\\]{1,500})"`).exec(header ?? "")?.[1];
  const profile = member("profile");
  if (profile === undefined) {
    throw new ProtocolError("invalid_profile_url", 'Send the header UCP-Agent: profile="https://…"');
  }
  return { profile, version: member("version") };
}
