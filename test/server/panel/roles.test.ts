import { expect } from "vitest";
import { LONG } from "../../support/long.ts";
import { it } from "../browser/it.ts";
import { joinStaff } from "../browser/join-staff.ts";
import { look } from "../browser/look.ts";

it.for([
  { role: "viewer" as const, name: "Viola Viewer", hidden: "Save product" },
  { role: "support" as const, name: "Susan Support", hidden: "Save product" },
  { role: "catalogue" as const, name: "Carl Catalogue", hidden: "API Manager" },
])(
  "shows $role the sections and the forms that they may use",
  LONG,
  async ({ role, name, hidden }, { shop, aPage }) => {
    const page = await aPage();
    await joinStaff(page, shop, { role, name });
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
