import { expect } from "vitest";
import { LONG } from "../../support/long.ts";
import { it } from "../browser/it.ts";
import { look } from "../browser/look.ts";
import { sentToken } from "../emails.ts";
import { asAdmin } from "../shopper.ts";

it.for([
  { role: "viewer" as const, name: "Viola Viewer", hidden: "Save product" },
  { role: "support" as const, name: "Susan Support", hidden: "Save product" },
  { role: "catalogue" as const, name: "Carl Catalogue", hidden: "API Manager" },
])(
  "shows $role the sections and the forms that they may use",
  LONG,
  async ({ role, name, hidden }, { shop, aPage }) => {
    const email = `${role}@shop.example`;
    await (await asAdmin(shop)).POST("/api/v1/admin/staff/invitations", { body: { email, role } });
    const page = await aPage();
    await page.goto(`/account/invitation?token=${await sentToken(shop.base_url, email, "invitation")}`);
    await page.getByLabel("Your name").fill(name);
    await page.getByLabel("Password").fill("chosen by the invited");
    await page.getByRole("button", { name: "Accept the invitation" }).click();
    await page.getByRole("link", { name: "Products" }).first().waitFor();
    for (const [section, path] of Object.entries({
      start: "/admin",
      product: "/admin/products/1",
      ...(role !== "catalogue" && { order: "/admin/orders/1", customer: "/admin/customers/1" }),
    })) {
      await page.goto(path);
      await look(page, `role-${role}-${section}`);
      expect(await page.getByText(hidden).count()).toBe(0);
    }
  },
);
