import type { Shop } from "./shop.ts";

/** Invites a member of staff twice, and revokes the invitation. */
export async function inviteStaff(shop: Shop, as: string): Promise<void> {
  await shop.record("listStaff", { as });
  const body = { email: "sam@example.com", role: "support" };
  const { id } = await shop.record("inviteStaff", { as, body });
  await shop.record("listStaffInvitations", { as });
  await shop.record("resendStaffInvitation", { as, path: { id }, body: {} });
  await shop.record("revokeStaffInvitation", { as, path: { id } });
}
