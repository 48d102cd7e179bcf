import { call } from "../../support/call.ts";
import { aLicenseKey } from "../../support/license-keys.ts";
import type { AdminEndpoints } from "./endpoint.ts";

const anIssued = async () => `/license-keys/${(await aLicenseKey()).id}`;

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
    request: async () => {
      const { id, key } = await aLicenseKey();
      await call("POST /licenses/activate", { body: { license_key: key, instance_name: "A device" } });
      return { path: `/license-keys/${id}/activations` };
    },
  },
  "DELETE /license-keys/:id": {
    permission: "packages:write",
    status: 204,
    request: async () => ({ path: await anIssued() }),
  },
};
