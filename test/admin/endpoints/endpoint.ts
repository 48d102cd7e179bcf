import type { Permission } from "../../../src/auth/permissions.ts";

/** A route of the administrator's API: who may use it, and a request that succeeds, each time anew. */
export type AdminEndpoint = {
  /** What an API key needs; null where no key may. */
  permission: Permission | null;
  /** The status of a request that succeeds. */
  status: number;
  request: () => Promise<{
    path: string;
    body?: Record<string, unknown> | FormData | Uint8Array;
    headers?: Record<string, string>;
  }>;
};

export type AdminEndpoints = Record<string, AdminEndpoint>;
