import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import type { Account } from "../../../scripts/credentials.ts";
import type { Role } from "../../../src/platform/db/schema.ts";
import type { OpenShop } from "../checkout.ts";
import { sentToken } from "../emails.ts";
import { asAdmin } from "../shopper.ts";

/** Joins the staff by invitation: afterwards the page is signed in to the panel. */
export async function joinStaff(
  page: Page,
  shop: OpenShop,
  { role, name = "Grace Hopper" }: { role: Exclude<Role, "customer">; name?: string },
): Promise<Account> {
  const account = { email: `${role}-${randomUUID()}@shop.example`, password: "chosen by the invited" };
  await (await asAdmin(shop)).POST("/api/v1/admin/staff/invitations", { body: { email: account.email, role } });
  await page.goto(`/account/invitation?token=${await sentToken(shop.base_url, account.email, "invitation")}`);
  await page.getByLabel("Your name").fill(name);
  await page.getByLabel("Password").fill(account.password);
  await page.getByRole("button", { name: "Accept the invitation" }).click();
  await page.getByRole("button", { name: "Sign out" }).waitFor();
  return account;
}
