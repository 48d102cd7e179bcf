import { expect } from "vitest";
import { it } from "../browser/it.ts";
import { joinStaff } from "../browser/join-staff.ts";
import { look } from "../browser/look.ts";
import { sentToken } from "../emails.ts";

it("leads from the panel's sign-in to a new password, and back", async ({ shop, aPage }) => {
  const page = await aPage();
  const { email } = await joinStaff(page, shop, { role: "support" });
  await page.context().clearCookies();
  await page.goto("/admin/sign-in");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await look(page, "account-forgot");
  await page.getByLabel("E-mail").fill(email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await page.getByRole("heading", { name: "Check your e-mail" }).waitFor();
  await look(page, "account-forgot-sent");
  const token = await sentToken(shop.base_url, email, "reset");
  await page.goto(`/account/reset?token=${token}`);
  await page.getByLabel("New password").fill("another long password");
  await page.getByRole("button", { name: "Change password" }).click();
  await look(page, "account-reset-done");
  await page.getByRole("link", { name: "Sign in to the panel" }).click();
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill("another long password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Sign out" }).waitFor();
});

it("has no faults in the pages of links, which explain invalid tokens", async ({ aPage }) => {
  const page = await aPage();
  for (const kind of ["reset", "verify", "confirm", "revert"]) {
    await page.goto(`/account/${kind}?token=none`);
    await look(page, `account-${kind}`);
  }
  await page.goto("/account/reset?token=none");
  await page.getByLabel("New password").fill("a password for nobody");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect.poll(() => page.getByText("no longer works").isVisible()).toBe(true);
  await look(page, "account-reset-refused");
});
