import { hashSecret } from "../../../src/platform/auth/secrets.ts";
import { staffInvitations } from "../../../src/platform/db/schema.ts";
import { aUser, db } from "../../support/shop.ts";
import type { AdminEndpoints } from "./endpoint.ts";

let made = 0;

/** An open invitation of an administrator other than the caller. */
async function anInvitation(): Promise<number> {
  const now = Date.now();
  const n = ++made;
  const [row] = await db
    .insert(staffInvitations)
    .values({
      email: `invited-${n}@shop.test`,
      role: "support",
      hash: hashSecret(`invitation ${n}`),
      isSent: false,
      invitedBy: (await aUser({ role: "admin" })).id,
      expiresAt: now + 60_000,
      createdAt: now,
      updatedAt: now,
    })
    .returning();
  return row?.id ?? 0;
}

export const staff: AdminEndpoints = {
  "GET /staff": { permission: null, status: 200, request: async () => ({ path: "/staff" }) },
  "GET /staff/invitations": { permission: null, status: 200, request: async () => ({ path: "/staff/invitations" }) },
  "POST /staff/invitations": {
    permission: null,
    status: 201,
    request: async () => ({
      path: "/staff/invitations",
      body: { email: `to-invite-${++made}@shop.test`, role: "support" },
    }),
  },
  "POST /staff/invitations/:id/resend": {
    permission: null,
    status: 200,
    request: async () => ({
      path: `/staff/invitations/${await anInvitation()}/resend`,
    }),
  },
  "DELETE /staff/invitations/:id": {
    permission: null,
    status: 204,
    request: async () => ({ path: `/staff/invitations/${await anInvitation()}` }),
  },
};
