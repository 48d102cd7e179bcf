import { aFile, aPackage, aUser } from "../../support/shop.ts";
import type { AdminEndpoints } from "./endpoint.ts";

const aGranted = async () => `/packages/${(await aPackage((await aUser()).id, [(await aFile()).id])).id}`;

const inADay = () => new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString();

export const packages: AdminEndpoints = {
  "GET /packages": {
    permission: "packages:read",
    status: 200,
    request: async () => ({ path: "/packages?user_id=1&order_id=1&status=active" }),
  },
  "POST /packages": {
    permission: "packages:write",
    status: 201,
    request: async () => ({
      path: "/packages",
      body: {
        user_id: (await aUser()).id,
        name: "A gift",
        file_ids: [(await aFile()).id],
        download_limit: 3,
        starts_at: new Date().toISOString(),
        expires_at: inADay(),
      },
    }),
  },
  "GET /packages/:id": {
    permission: "packages:read",
    status: 200,
    request: async () => ({ path: await aGranted() }),
  },
  "PUT /packages/:id": {
    permission: "packages:write",
    status: 200,
    request: async () => ({
      path: await aGranted(),
      body: { name: "Extended", file_ids: [(await aFile()).id], download_limit: 5, expires_at: inADay() },
    }),
  },
  "DELETE /packages/:id": {
    permission: "packages:write",
    status: 204,
    request: async () => ({ path: await aGranted() }),
  },
};
