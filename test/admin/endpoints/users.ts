import { NO_PASSWORD } from "../../../src/accounts/users/sign-in/passwords.ts";
import { money } from "../../support/money.ts";
import { aUser, onPurpose } from "../../support/shop.ts";
import { giveFactor } from "../../support/two-factor.ts";
import type { AdminEndpoints } from "./endpoint.ts";

let made = 0;

export const users: AdminEndpoints = {
  "GET /users": { permission: "users:read", status: 200, request: async () => ({ path: "/users" }) },
  "POST /users": {
    permission: "users:write",
    status: 201,
    request: async () => ({
      path: "/users",
      body: { name: "Added", email: `added-${++made}@shop.test`, phone: "0117 496 0123", tags: ["Fair"], invite: true },
    }),
  },
  "POST /users/:id/invite": {
    permission: "users:write",
    status: 200,
    request: async () => ({ path: `/users/${(await aUser({ passwordHash: NO_PASSWORD })).id}/invite` }),
  },
  "GET /users/:id": {
    permission: "users:read",
    status: 200,
    request: async () => ({ path: `/users/${(await aUser()).id}` }),
  },
  "GET /users/:id/notes": {
    permission: "users:read",
    status: 200,
    request: async () => ({ path: `/users/${(await aUser()).id}/notes` }),
  },
  "POST /users/:id/notes": {
    permission: "users:write",
    status: 201,
    request: async () => ({ path: `/users/${(await aUser()).id}/notes`, body: { text: "Prefers the telephone" } }),
  },
  "PUT /users/:id": {
    permission: "users:write",
    status: 200,
    request: async () => ({
      path: `/users/${(await aUser()).id}`,
      body: {
        name: "Renamed",
        email: `renamed-${++made}@shop.test`,
        phone: "0117 496 0123",
        company: "Renamed & Co",
        accepts_marketing: true,
        metadata: { source: "fair" },
        tags: ["VIP"],
        disabled: true,
      },
    }),
  },
  "DELETE /users/:id": {
    permission: null,
    status: 200,
    request: async () => ({ path: `/users/${(await aUser()).id}` }),
  },
  "POST /users/:id/restore": {
    permission: null,
    status: 200,
    request: async () => ({ path: `/users/${(await aUser()).id}/restore` }),
  },
  "GET /users/:id/export": {
    permission: null,
    status: 200,
    request: async () => ({ path: `/users/${(await aUser()).id}/export` }),
  },
  "DELETE /users/:id/two-factor": {
    permission: null,
    status: 204,
    request: async () => {
      const { id } = await aUser();
      await giveFactor(id);
      return { path: `/users/${id}/two-factor` };
    },
  },
  "POST /users/:id/credit": {
    permission: "payments:write",
    status: 201,
    request: async () => ({
      path: `/users/${(await aUser()).id}/credit`,
      body: { amount: money(12.5), reason: "Goodwill" },
      headers: onPurpose(),
    }),
  },
};
