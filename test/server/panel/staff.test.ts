import { describe, expect } from "vitest";
import { it } from "../browser/it.ts";
import { look } from "../browser/look.ts";
import { sentToken } from "../emails.ts";

describe.each([
  ["with script", true],
  ["without script", false],
])("%s", (_, javaScriptEnabled) => {
  it("invites a colleague, who chooses a password and is signed in until deactivated", async ({
    shop,
    aSignedInPage,
    aPage,
  }) => {
    const email = `invited-${javaScriptEnabled ? "with" : "without"}-script@shop.example`;
    const admin = await aSignedInPage({ javaScriptEnabled });
    await admin.goto("/admin/settings");
    await admin.getByRole("link", { name: /^Staff/ }).click();
    await admin.getByRole("link", { name: "Invite staff" }).click();
    await admin.getByRole("textbox", { name: "E-mail" }).fill(email);
    await admin.getByRole("radio", { name: /^Support/ }).check();
    await admin.getByRole("button", { name: "Send invitation" }).click();
    await admin.getByText(`An invitation is on its way to ${email}.`).waitFor();
    if (javaScriptEnabled) await look(admin, "staff-invited");

    const token = await sentToken(shop.base_url, email, "invitation");
    const page = await aPage({ javaScriptEnabled });
    await page.goto(`/account/invitation?token=${token}`);
    await page.getByLabel("Your name").fill("Grace Hopper");
    await page.getByLabel("Password").fill("a password of my own");
    if (javaScriptEnabled) await look(page, "account-invitation");
    await page.getByRole("button", { name: "Accept the invitation" }).click();
    await page.getByText("Welcome, Grace Hopper.").waitFor();
    const menu = page.getByRole("navigation", { name: "Sections" });
    await menu.getByRole("link", { name: "Customers" }).waitFor();
    expect(await menu.getByRole("link", { name: "API Manager" }).count()).toBe(0);

    await admin.goto("/admin/staff");
    await admin.getByRole("row").filter({ hasText: email }).getByRole("link", { name: "Grace Hopper" }).click();
    if (javaScriptEnabled) await look(admin, "staff-member");
    await admin.getByRole("button", { name: "Deactivate" }).first().click();
    await admin.getByRole("dialog").getByRole("button", { name: "Deactivate" }).click();
    await admin.getByText("Grace Hopper was deactivated").waitFor();
    await page.goto("/admin/orders");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  });
});
