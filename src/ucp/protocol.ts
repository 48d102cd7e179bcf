import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ApiError } from "../domain/errors.ts";
import { agentProblems } from "../integrations/agents/profile.ts";

/** The version of the Universal Commerce Protocol that this shop speaks. */
export const UCP_VERSION = "2026-04-08";

/** Path below which the REST binding answers. */
export const UCP_PATH = "/ucp/v1";

/** Path of the MCP binding. */
export const UCP_MCP_PATH = "/mcp";

type Severity = "recoverable" | "requires_buyer_input" | "requires_buyer_review" | "unrecoverable";

/** A message about an answer. `path` is a JSONPath into it. */
export type Message =
  | { type: "error"; code: string; path?: string; content: string; severity: Severity }
  | { type: "warning"; code: string; path?: string; content: string }
  | { type: "info"; code: string; path?: string; content: string };

/** An answer that carries nothing but the reasons why. */
export type ErrorAnswer = { ucp: { version: string; status: "error" }; messages: Message[]; continue_url?: string };

export const errorAnswer = (messages: Message[], continueUrl?: string): ErrorAnswer => ({
  ucp: { version: UCP_VERSION, status: "error" },
  messages,
  ...(continueUrl !== undefined && { continue_url: continueUrl }),
});

/** The answer for a resource that does not exist, has expired, or belongs to another agent. */
export const unknownResource = (what: string): ErrorAnswer =>
  errorAnswer([{ type: "error", code: "not_found", content: `${what} was not found`, severity: "unrecoverable" }]);

/** The answer to an agent that cannot use a capability. */
export const incompatible = (root: string): ErrorAnswer =>
  errorAnswer([
    {
      type: "error",
      code: "capabilities_incompatible",
      content: `The agent's profile does not have the capability dev.ucp.shopping.${root} at version ${UCP_VERSION}`,
      severity: "unrecoverable",
    },
  ]);

/** Errors of the protocol itself, with the statuses that it gives them. */
const protocolErrors = {
  ...agentProblems,
  version_unsupported: 422,
  request_too_large: 400,
} as const satisfies Record<string, ContentfulStatusCode>;
export type UcpErrorCode = keyof typeof protocolErrors;

/** A refusal of the protocol, before any operation runs. */
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

/** A refusal as the protocol writes it: problems of a body with their paths, everything else as a code. */
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
