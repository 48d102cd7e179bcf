import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { BuyerContext, SessionContent } from "../checkout/orders/sessions/content.ts";
import { ApiError, unauthorized } from "../domain/errors.ts";
import { type Agent, type AgentRequest, identifyAgent } from "../integrations/agents/identify.ts";
import { type AgentProfile, AgentRefused, agentProblems } from "../integrations/agents/profile.ts";
import { authorOf, type Caller, type WriteContext } from "../platform/auth/caller.ts";
import { mappingOfApril2026 } from "./2026-04-08/mapping.ts";
import { mappingOfAugust2026 } from "./2026-08-25/mapping.ts";
import type { VersionMapping } from "./mapping.ts";

/** The versions of the Universal Commerce Protocol that this shop speaks, newest first. */
export const mappings = [mappingOfAugust2026, mappingOfApril2026] as const;

const [newest] = mappings;

/** Path below which the REST binding answers. */
export const UCP_PATH = "/ucp/v1";

/** Path of the MCP binding. */
export const UCP_MCP_PATH = "/mcp";

type Severity = "recoverable" | "requires_buyer_input" | "requires_buyer_review" | "unrecoverable";

/** A message about a response. `path` is a JSONPath into it. */
export type Message =
  | { type: "error"; code: string; path?: string; content: string; severity: Severity }
  | { type: "warning"; code: string; path?: string; content: string }
  | { type: "info"; code: string; path?: string; content: string };

/** A response that contains only errors. */
export type ErrorAnswer = {
  ucp: { version: string; status: "error" };
  messages: Message[];
  continue_url?: string;
};

/** The part of a context that says how it is answered. */
type NegotiatedVersion = Pick<UcpContext, "mapping" | "capabilities">;
type Spoken = Pick<NegotiatedVersion, "mapping">;

/** An error of a response, which the agent can resolve unless its severity says otherwise. */
export const errorMessage = (
  code: string,
  content: string,
  more: { path?: string; severity?: Severity } = {},
): Message => ({ type: "error", code, content, severity: "recoverable", ...more });

export const warning = (code: string, content: string, more: { path?: string } = {}): Message => ({
  type: "warning",
  code,
  content,
  ...more,
});

export const errorAnswer = ({ mapping }: Spoken, messages: Message[]): ErrorAnswer => ({
  ucp: { version: mapping.version, status: "error" },
  messages,
});

/** The response for a resource that does not exist, has expired, or belongs to another agent. */
export const unknownResource = (ctx: Spoken, what: string): ErrorAnswer =>
  errorAnswer(ctx, [errorMessage("not_found", `${what} was not found`, { severity: "unrecoverable" })]);

/** The response to an agent that cannot use a capability. */
export function incompatible(ctx: Spoken, root: string): ErrorAnswer {
  const capability = `dev.ucp.shopping.${root} at version ${ctx.mapping.version}`;
  const content = `The agent's profile does not have the capability ${capability}`;
  return errorAnswer(ctx, [errorMessage("capabilities_incompatible", content, { severity: "unrecoverable" })]);
}

/** Errors of the protocol itself, with its statuses. */
const protocolErrors = {
  ...agentProblems,
  version_unsupported: 422,
  request_too_large: 400,
  session_closed: 409,
} as const satisfies Record<string, ContentfulStatusCode>;
export type UcpErrorCode = keyof typeof protocolErrors;

/** An error of the protocol, before any operation runs. */
export class UcpError extends ApiError {
  readonly protocolCode: UcpErrorCode;

  constructor(code: UcpErrorCode, content: string) {
    super(protocolErrors[code], "validation_failed", content);
    this.protocolCode = code;
  }
}

/** A field of a request (`line_items.0.quantity`) as a JSONPath. */
const jsonPath = (field: string): string =>
  field === "body"
    ? "$"
    : `$${field
        .split(".")
        .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
        .join("")}`;

/** An error in the protocol's form: problems of a body with their paths, challenges, and everything else as a code. */
export function toUcpRefusal(error: ApiError, ctx: Spoken = { mapping: newest }) {
  if (isChallenge(error)) {
    const code = error.status === 401 ? "identity_required" : "insufficient_scope";
    return errorAnswer(ctx, [errorMessage(code, error.message, { severity: "requires_buyer_review" })]);
  }
  return error.status === 400 && error.fields.length > 0
    ? errorAnswer(
        ctx,
        error.fields.map(({ field, code, message }) =>
          errorMessage(code, `${field} ${message}`, { path: jsonPath(field) }),
        ),
      )
    : { code: error instanceof UcpError ? error.protocolCode : error.code, content: error.message };
}

/** True for an error that a shopper's access token solves. */
export const isChallenge = ({ headers }: ApiError): boolean => "WWW-Authenticate" in headers;

// Both sides publish their capabilities. The shop selects the shared ones for each request.

const ROOT = "dev.ucp.shopping";

export type RootCapability = "catalog.search" | "catalog.lookup" | "cart" | "checkout" | "order";

export type ActiveCapabilities = ReadonlySet<string>;

/** The mapping of a version. Refuses an agent of another version, with a sentence that names ours. */
function mappingOf(version: string): VersionMapping {
  const mapping = mappings.find((known) => known.version === version);
  if (mapping) return mapping;
  const known = mappings.map(({ version }) => version).join(" and ");
  throw new UcpError(
    "version_unsupported",
    `Protocol version ${version} is not supported. This business supports ${known}.`,
  );
}

/** The version that an agent's profile declares, and the capabilities that both sides have at it. */
export function negotiate({
  version,
  capabilities,
}: Pick<AgentProfile, "version" | "capabilities">): NegotiatedVersion {
  const mapping = mappingOf(version);
  const common = Object.entries(mapping.capabilities).filter(([name]) =>
    capabilities[name]?.some((theirs) => theirs.version === version),
  );
  const names = new Set(common.map(([name]) => name));
  // An extension without any of its parents is left out.
  const active = common.filter(([, parents]) => parents.length === 0 || parents.some((name) => names.has(name)));
  return { mapping, capabilities: new Set(active.map(([name]) => name)) };
}

/** The oldest version with all capabilities, for an agent whose profile was forgotten. */
export const withoutProfile: NegotiatedVersion = {
  mapping: mappingOfApril2026,
  capabilities: new Set(Object.keys(mappingOfApril2026.capabilities)),
};

/** True if both sides have an extension. */
export const extendsWith = (active: ActiveCapabilities, name: "fulfillment" | "discount" | "buyer_consent"): boolean =>
  active.has(`${ROOT}.${name}`);

export const offers = (active: ActiveCapabilities, root: RootCapability): boolean => active.has(`${ROOT}.${root}`);

/** The capabilities relevant to responses about `root`, as each response lists them. */
const capabilitiesFor = (
  { mapping: { version, capabilities }, capabilities: active }: NegotiatedVersion,
  root: RootCapability,
) =>
  Object.fromEntries(
    Object.entries(capabilities)
      .filter(([name, parents]) => active.has(name) && [name, ...parents].includes(`${ROOT}.${root}`))
      .map(([name]) => [name, [{ version }]]),
  );

/** The header part of a response about `root`. */
export const ucpOf = (ctx: NegotiatedVersion, root: RootCapability) => ({
  version: ctx.mapping.version,
  status: "success" as const,
  capabilities: capabilitiesFor(ctx, root),
});

/**
 * First argument of every operation, whichever binding calls it. The second is its input. `origin` is the shop's own
 * URL, and `capabilities` are those that the agent and the shop share.
 */
export type UcpContext = Pick<WriteContext, "env" | "db" | "caller" | "settings" | "author"> &
  BuyerContext & {
    origin: string;
    agent: Agent;
    mapping: VersionMapping;
    capabilities: ActiveCapabilities;
    /** The address book of the shopper for whom the agent may check out. */
    savedDestinations: readonly NonNullable<SessionContent["address"]>[];
  };

/**
 * Admits the agent of a request, and returns the context of its operation. `named` is the agent if the binding does not
 * use the header.
 */
export async function ucpContextOf(c: AgentRequest, named?: { profile: string }): Promise<UcpContext> {
  const { identity: caller } = c.var;
  // Credentials that were not made for the protocol, such as an API key or a shopper's own session.
  if (caller.kind === "api_key" || (caller.kind === "user" && !caller.scopes))
    throw unauthorized("invalid_token", "Send an access token that was issued for this resource, or none");
  const agent = await identifyAgent(c, named).catch((error: unknown) => {
    throw error instanceof AgentRefused ? new UcpError(error.code, error.message) : error;
  });
  if (agent.version !== undefined) mappingOf(agent.version);
  // A platform that proves its host and describes its OAuth client by a URL has both at one host.
  const client = caller.kind === "user" && agent.isProven ? URL.parse(caller.clientId ?? "") : null;
  if (client && client.host !== agent.profile.host)
    throw unauthorized("invalid_token", "The access token was issued to another platform");
  return contextFor(c, caller, agent, negotiate(agent.profile));
}

/** The context of an operation for an agent, and for the shopper whose token it has. */
export function contextFor(c: AgentRequest, caller: Caller, agent: Agent, negotiated: NegotiatedVersion): UcpContext {
  const { db, settings, requestId } = c.var;
  // Its host appears in the history of orders, where a host that is only claimed must look like no proven one.
  const actor = `${agent.isProven ? "agent" : "unsigned_agent"}:${agent.profile.host}`;
  const author = authorOf({ req: c.req, var: { requestId, settings, caller } });
  return {
    env: c.env,
    db,
    settings,
    caller,
    userId: caller.kind === "user" ? caller.id : null,
    author: {
      ...author,
      actor,
      storage: agent.storage,
      // An agent that signs orders for many shoppers.
      guestNetwork: agent.isProven ? null : (author.guestNetwork ?? null),
    },
    origin: new URL(c.req.url).origin,
    agent,
    savedDestinations: [],
    ...negotiated,
  };
}
