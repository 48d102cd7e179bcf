import type { Permission } from "../../../src/platform/auth/roles.ts";

/** A route of the admin API: who may call it, and a fresh request that succeeds. */
export type AdminEndpoint = {
  /**
   * Permission that an API key needs. Null if no key may call the route: it is for administrators only, or for all
   * staff.
   */
  permission: Permission | "staff" | null;
  /** An additional permission that depends on the request. */
  also?: Permission;
  /** Status of a successful request. */
  status: number;
  /** `userId` is the user who sends the request, for routes about the user's own records. */
  request: (userId?: number) => Promise<{
    path: string;
    body?: Record<string, unknown> | FormData | Uint8Array;
    headers?: Record<string, string>;
  }>;
};

export type AdminEndpoints = Record<string, AdminEndpoint>;
