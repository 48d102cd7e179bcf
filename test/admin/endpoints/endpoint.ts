import type { Permission } from "../../../src/platform/auth/roles.ts";

/** A route of the administrator's API: who may use it, and a request that succeeds, each time anew. */
export type AdminEndpoint = {
  /** What an API key needs; where no key may, null for administrators, or all staff. */
  permission: Permission | "staff" | null;
  /** What it needs beside that, where this follows from what is asked for. */
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
