import { aWebhook, deliver, deliveriesOf } from "../../webhooks/support.ts";
import type { AdminEndpoint, AdminEndpoints } from "./endpoint.ts";

// No event types, so that a caller without other permissions may write the endpoint too.
const fields = { url: "https://receiver.example/webhooks", types: [], description: "Warehouse" };

const ofWebhook =
  (rest = "", body?: Record<string, unknown>) =>
  async () => {
    const { id } = await aWebhook({ types: [] });
    return { path: `/webhooks/${id}${rest}`, ...(body && { body }) };
  };

const reads = { permission: "webhooks:read", status: 200 } satisfies Partial<AdminEndpoint>;
const writes = { permission: "webhooks:write", status: 200 } satisfies Partial<AdminEndpoint>;

export const webhooks: AdminEndpoints = {
  "GET /webhooks": { ...reads, request: async () => ({ path: "/webhooks" }) },
  "POST /webhooks": { ...writes, status: 201, request: async () => ({ path: "/webhooks", body: fields }) },
  "GET /webhooks/:id": { ...reads, request: ofWebhook() },
  "PUT /webhooks/:id": { ...writes, request: ofWebhook("", fields) },
  "DELETE /webhooks/:id": { ...writes, status: 204, request: ofWebhook() },
  "POST /webhooks/:id/rotate": { ...writes, request: ofWebhook("/rotate", { grace_seconds: 60 }) },
  "POST /webhooks/:id/test": { ...writes, request: ofWebhook("/test", {}) },
  "GET /webhooks/:id/deliveries": { ...reads, request: ofWebhook("/deliveries") },
  "POST /webhooks/:id/deliveries/:delivery/retry": {
    ...writes,
    status: 204,
    request: async () => {
      const webhook = await aWebhook({ types: [] });
      await webhook.sendTest();
      await deliver(webhook);
      const [{ id }] = await deliveriesOf(webhook);
      return { path: `/webhooks/${webhook.id}/deliveries/${id}/retry`, body: {} };
    },
  },
  "POST /webhooks/:id/replay": {
    ...writes,
    status: 204,
    request: ofWebhook("/replay", { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" }),
  },
};
