import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import type { Account } from "../../../scripts/credentials.ts";
import type { Role } from "../../../src/platform/db/schema.ts";
import type { OpenShop } from "../checkout.ts";
import { sentToken } from "../emails.ts";
import { asAdmin } from "../shopper.ts";

/**
 * Joins the staff by invitation, which signs the page's window in to the panel. staff.test.ts tests the form itself.
 */
export async function joinStaff(
  page: Page,
  shop: OpenShop,
  { role, name = "Grace Hopper" }: { role: Exclude<Role, "customer">; name?: string },
): Promise<Account> {
  const account = { email: `${role}-${randomUUID()}@shop.example`, password: "chosen by the invited" };
  await (await asAdmin(shop)).POST("/api/v1/admin/staff/invitations", { body: { email: account.email, role } });
  const token = await sentToken(shop.base_url, account.email, "invitation");
  const form = { token, name, password: account.password };
  await page.request.post("/account/invitation", { form, headers: { Origin: shop.base_url }, maxRedirects: 0 });
  return account;
}
