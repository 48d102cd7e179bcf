import type { Permission } from "../../../src/platform/auth/roles.ts";

type Content = Record<string, unknown> | FormData | Uint8Array;

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
  request: (userId?: number) => Promise<{ path: string; body?: Content; headers?: Record<string, string> }>;
};

export type AdminEndpoints = Record<string, AdminEndpoint>;

/** Parameters of a path, such as the id of a new record, with a body and headers if they depend on the record. */
type Made = { id?: number | string; body?: Content; headers?: Record<string, string>; [parameter: string]: unknown };

type Route = Partial<Pick<AdminEndpoint, "permission" | "also" | "status">> & {
  /** Makes the record that the path names. */
  of?: () => Promise<{ id: number | string }>;
  /** Makes the parameters of the path together with the body. */
  make?: (userId?: number) => Promise<Made>;
  query?: string;
  body?: Content | (() => Content | Promise<Content>);
  headers?: () => Record<string, string>;
};

const statusOf: Record<string, number> = { GET: 200, POST: 201, PUT: 200, DELETE: 204 };

/** Routes with their permissions, their status by method unless it is another, and their requests. */
export const endpoints = (
  by: { read: AdminEndpoint["permission"]; write: AdminEndpoint["permission"] },
  routes: Record<string, Route>,
): AdminEndpoints =>
  Object.fromEntries(
    Object.entries(routes).map(([line, { of, make, query = "", body, headers, ...rest }]) => {
      const [method = "", path = ""] = line.split(" ");
      const request: AdminEndpoint["request"] = async (userId) => {
        const made: Made = of ? { id: (await of()).id } : ((await make?.(userId)) ?? {});
        const content = made.body ?? (typeof body === "function" ? await body() : body);
        const sent = made.headers ?? headers?.();
        return {
          path: path.replaceAll(/:(\w+)/g, (_, name) => String(made[name])) + query,
          ...(content && { body: content }),
          ...(sent && { headers: sent }),
        };
      };
      const permission = method === "GET" ? by.read : by.write;
      return [line, { permission, status: statusOf[method] ?? 200, request, ...rest }];
    }),
  );
