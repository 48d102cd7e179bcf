import type { SignatureProblem } from "../../platform/http/message-signatures.ts";

type AgentProblem =
  | SignatureProblem
  | "invalid_profile_url"
  | "profile_unreachable"
  | "profile_malformed"
  | "profile_not_trusted";

/** The status of each refusal as the Universal Commerce Protocol specifies it. */
export const agentProblems = {
  signature_missing: 401,
  signature_invalid: 401,
  key_not_found: 401,
  digest_mismatch: 400,
  algorithm_unsupported: 400,
  invalid_profile_url: 400,
  profile_unreachable: 424,
  profile_malformed: 422,
  profile_not_trusted: 403,
} as const satisfies Record<AgentProblem, number>;

/** An agent that is not admitted. */
export class AgentRefused extends Error {
  readonly code: AgentProblem;
  readonly status: (typeof agentProblems)[AgentProblem];

  constructor(code: AgentProblem, message: string) {
    super(message);
    this.code = code;
    this.status = agentProblems[code];
  }
}
