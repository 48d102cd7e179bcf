import type { Shop } from "./shop.ts";

/** Invites a member of staff twice, and revokes the invitation. */
export async function inviteStaff(shop: Shop): Promise<void> {
  await shop.record("listStaff");
  const body = { email: "sam@example.com", role: "support" };
  const { id } = await shop.record("inviteStaff", { body });
  await shop.record("listStaffInvitations");
  await shop.record("resendStaffInvitation", { path: { id }, body: {} });
  await shop.record("revokeStaffInvitation", { path: { id } });
}
