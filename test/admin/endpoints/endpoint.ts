import type { Permission } from "../../../src/platform/auth/roles.ts";

/** A route of the administrator's API: who may use it, and a request that succeeds, each time anew. */
export type AdminEndpoint = {
  /** Permission that an API key needs. Null if no key may call it: administrators only, or all staff. */
  permission: Permission | "staff" | null;
  /** A further permission that depends on what is requested. */
  also?: Permission;
  /** The status of a request that succeeds. */
  status: number;
  /** `userId` is who sends it, for what is a user's own. */
  request: (userId?: number) => Promise<{
    path: string;
    body?: Record<string, unknown> | FormData | Uint8Array;
    headers?: Record<string, string>;
  }>;
};

export type AdminEndpoints = Record<string, AdminEndpoint>;
