import { aLicenseKey } from "../../support/license-keys.ts";
import type { AdminEndpoints } from "./endpoint.ts";

const anIssued = async (more = "") => `/license-keys/${(await aLicenseKey()).id}${more}`;

export const licenseKeys: AdminEndpoints = {
  "GET /license-keys": {
    permission: "packages:read",
    status: 200,
    request: async () => ({
      path: "/license-keys?key_start=FONT-0000-0000-0000&user_id=1&order_id=1&product_id=1&status=active",
    }),
  },
  "GET /license-keys/:id": {
    permission: "packages:read",
    status: 200,
    request: async () => ({ path: await anIssued() }),
  },
  "PUT /license-keys/:id": {
    permission: "packages:write",
    status: 200,
    request: async () => ({
      path: await anIssued(),
      body: { activation_limit: 7, expires_at: "2040-01-31", updates_until: "2039-01-31" },
    }),
  },
  "DELETE /license-keys/:id/activations": {
    permission: "packages:write",
    status: 204,
    request: async () => ({ path: await anIssued("/activations") }),
  },
  "DELETE /license-keys/:id": {
    permission: "packages:write",
    status: 204,
    request: async () => ({ path: await anIssued() }),
  },
};
