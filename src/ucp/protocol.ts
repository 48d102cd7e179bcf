import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ApiError } from "../domain/errors.ts";
import { type Agent, type AgentRequest, identifyAgent } from "../integrations/agents/identify.ts";
import { type AgentProfile, AgentRefused, agentProblems } from "../integrations/agents/profile.ts";
import { authorOf, type WriteContext } from "../platform/auth/caller.ts";

/** The version of the Universal Commerce Protocol that this shop speaks. */
export const UCP_VERSION = "2026-04-08";

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

export const errorAnswer = (messages: Message[]): ErrorAnswer => ({
  ucp: { version: UCP_VERSION, status: "error" },
  messages,
});

/** The response for a resource that does not exist, has expired, or belongs to another agent. */
export const unknownResource = (what: string): ErrorAnswer =>
  errorAnswer([{ type: "error", code: "not_found", content: `${what} was not found`, severity: "unrecoverable" }]);

/** The response to an agent that cannot use a capability. */
export const incompatible = (root: string): ErrorAnswer =>
  errorAnswer([
    {
      type: "error",
      code: "capabilities_incompatible",
      content: `The agent's profile does not have the capability dev.ucp.shopping.${root} at version ${UCP_VERSION}`,
      severity: "unrecoverable",
    },
  ]);

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

/** An error in the protocol's form: problems of a body with their paths, everything else as a code. */
export const toUcpRefusal = (error: ApiError) =>
  error.status === 400 && error.fields.length > 0
    ? errorAnswer(
        error.fields.map(({ field, code, message }) => ({
          type: "error",
          code,
          path: jsonPath(field),
          content: message,
          severity: "recoverable",
        })),
      )
    : { code: error instanceof UcpError ? error.protocolCode : error.code, content: error.message };

// Both sides publish their capabilities. The shop selects the shared ones for each request.

const ROOT = "dev.ucp.shopping";

/** The capabilities of the shop by their names in the protocol, each with those that it extends. */
export const shopCapabilities = {
  [`${ROOT}.catalog.search`]: [],
  [`${ROOT}.catalog.lookup`]: [],
  [`${ROOT}.cart`]: [],
  [`${ROOT}.checkout`]: [],
  [`${ROOT}.order`]: [],
  [`${ROOT}.fulfillment`]: [`${ROOT}.checkout`],
  [`${ROOT}.discount`]: [`${ROOT}.cart`, `${ROOT}.checkout`],
  [`${ROOT}.buyer_consent`]: [`${ROOT}.checkout`],
} as const satisfies Record<string, readonly string[]>;

export type RootCapability = "catalog.search" | "catalog.lookup" | "cart" | "checkout" | "order";

export type ActiveCapabilities = ReadonlySet<string>;

/** Refuses an agent of another version, with a sentence that names ours. */
function requireProtocolVersion(version: string): void {
  if (version === UCP_VERSION) return;
  const content = `Protocol version ${version} is not supported. This business supports version ${UCP_VERSION}.`;
  throw new UcpError("version_unsupported", content);
}

/**
 * The capabilities that both sides have at one version. An extension without any of its parents is left out. Returns
 * all of the shop's if nothing is known about the agent.
 */
export function negotiate(profile: Pick<AgentProfile, "version" | "capabilities"> | null): ActiveCapabilities {
  const mine = Object.entries<readonly string[]>(shopCapabilities);
  if (!profile) return new Set(Object.keys(shopCapabilities));
  const { version, capabilities } = profile;
  requireProtocolVersion(version);
  const common = mine.filter(([name]) => capabilities[name]?.some(({ version }) => version === UCP_VERSION));
  const names = new Set(common.map(([name]) => name));
  return new Set(
    common
      .filter(([, parents]) => parents.length === 0 || parents.some((name) => names.has(name)))
      .map(([name]) => name),
  );
}

/** True if both sides have an extension. */
export const extendsWith = (active: ActiveCapabilities, name: "fulfillment" | "discount" | "buyer_consent"): boolean =>
  active.has(`${ROOT}.${name}`);

export const offers = (active: ActiveCapabilities, root: RootCapability): boolean => active.has(`${ROOT}.${root}`);

/** The capabilities relevant to responses about `root`, as each response lists them. */
const capabilitiesFor = (root: RootCapability, active: ActiveCapabilities) =>
  Object.fromEntries(
    Object.entries<readonly string[]>(shopCapabilities)
      .filter(([name, parents]) => active.has(name) && [name, ...parents].includes(`${ROOT}.${root}`))
      .map(([name]) => [name, [{ version: UCP_VERSION }]]),
  );

/** The header part of a response about `root`. */
export const ucpOf = (root: RootCapability, active: ActiveCapabilities) => ({
  version: UCP_VERSION,
  status: "success" as const,
  capabilities: capabilitiesFor(root, active),
});

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
export async function ucpContextOf(c: AgentRequest, named?: { profile: string }): Promise<UcpContext> {
  const { db, settings, requestId } = c.var;
  const caller = { kind: "anonymous" } as const;
  const agent = await identifyAgent(c, named).catch((error: unknown) => {
    throw error instanceof AgentRefused ? new UcpError(error.code, error.message) : error;
  });
  if (agent.version !== undefined) requireProtocolVersion(agent.version);
  // Its host appears in the history of orders, where a host that is only claimed must look like no proven one.
  const actor = `${agent.isProven ? "agent" : "unsigned_agent"}:${agent.profile.host}`;
  const author = authorOf({ req: c.req, var: { requestId, settings, caller } });
  return {
    env: c.env,
    db,
    settings,
    caller,
    author: {
      ...author,
      ...{ actor, storage: agent.storage },
      // An agent that signs orders for many shoppers.
      guestNetwork: agent.isProven ? null : (author.guestNetwork ?? null),
    },
    origin: new URL(c.req.url).origin,
    agent,
    capabilities: negotiate(agent.profile),
  };
}
