import { NO_PASSWORD } from "../../../src/accounts/users/sign-in/passwords.ts";
import { hashSecret } from "../../../src/platform/auth/secrets.ts";
import { savedViews as savedViewsTable, staffInvitations } from "../../../src/platform/db/schema.ts";
import { money } from "../../support/money.ts";
import { aKey, aUser, db, onPurpose } from "../../support/shop.ts";
import { giveFactor } from "../../support/two-factor.ts";
import { endpoints } from "./endpoint.ts";

let made = 0;

const aKeyRequest = {
  name: "Storefront",
  permissions: ["products:read", "orders:write"],
  tier: "premium",
  expires_at: "2999-01-31T12:00:00Z",
};

export const apiKeys = endpoints(
  { read: null, write: null },
  {
    "GET /api-keys": {},
    "POST /api-keys": { body: aKeyRequest },
    "GET /api-keys/:id": { of: aKey },
    "PUT /api-keys/:id": { of: aKey, body: aKeyRequest },
    "DELETE /api-keys/:id": { of: aKey },
    "POST /api-keys/:id/rotate": { of: aKey, body: { grace_seconds: 60 }, status: 200 },
    "GET /api-keys/:id/usage": { of: aKey },
    "GET /api-keys/:id/requests": { of: aKey },
  },
);

export const users = endpoints(
  { read: "users:read", write: "users:write" },
  {
    "GET /users": {},
    "POST /users": {
      body: () => ({
        name: "Added",
        email: `added-${++made}@shop.test`,
        phone: "0117 496 0123",
        tags: ["Fair"],
        invite: true,
      }),
    },
    "POST /users/:id/invite": { of: () => aUser({ passwordHash: NO_PASSWORD }), status: 200 },
    "GET /users/:id": { of: aUser },
    "GET /users/:id/notes": { of: aUser },
    "POST /users/:id/notes": { of: aUser, body: { text: "Prefers the telephone" } },
    "PUT /users/:id": {
      of: aUser,
      body: () => ({
        name: "Renamed",
        email: `renamed-${++made}@shop.test`,
        phone: "0117 496 0123",
        company: "Renamed & Co",
        accepts_marketing: true,
        metadata: { source: "fair" },
        tags: ["VIP"],
        disabled: true,
      }),
    },
    "DELETE /users/:id": { of: aUser, permission: null, status: 200 },
    "POST /users/:id/restore": { of: aUser, permission: null, status: 200 },
    "GET /users/:id/export": { of: aUser, permission: null },
    "DELETE /users/:id/two-factor": {
      of: async () => {
        const user = await aUser();
        await giveFactor(user.id);
        return user;
      },
      permission: null,
    },
    "POST /users/:id/credit": {
      of: aUser,
      body: { amount: money(12.5), reason: "Goodwill" },
      headers: onPurpose,
      permission: "payments:write",
    },
    "POST /users/bulk-actions": {
      body: async () => ({ ids: [(await aUser()).id], change: { add_tags: ["VIP"], remove_tags: ["Trade"] } }),
    },
  },
);

/** An open invitation of an administrator other than the caller. */
async function anInvitation() {
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
  return { id: row?.id ?? 0 };
}

export const staff = endpoints(
  { read: null, write: null },
  {
    "GET /staff": {},
    "GET /staff/invitations": {},
    "POST /staff/invitations": { body: () => ({ email: `to-invite-${++made}@shop.test`, role: "support" }) },
    "POST /staff/invitations/:id/resend": { of: anInvitation, status: 200 },
    "DELETE /staff/invitations/:id": { of: anInvitation },
  },
);

const aView = () => ({ list: "products", name: `Drafts ${++made}`, filters: { status: "draft" } }) as const;

export const savedViews = endpoints(
  { read: "staff", write: "staff" },
  {
    "GET /saved-views": {},
    "POST /saved-views": { also: "products:read_all", body: aView },
    "DELETE /saved-views/:id": {
      make: async (userId) => {
        const owner = userId ?? (await aUser({ role: "admin" })).id;
        const row = { ...aView(), userId: owner, createdAt: Date.now(), updatedAt: Date.now() };
        const [view] = await db.insert(savedViewsTable).values(row).returning();
        return { id: view?.id ?? 0 };
      },
    },
  },
);
