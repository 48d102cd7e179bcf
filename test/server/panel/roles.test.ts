import { expect } from "vitest";
import { it } from "../browser/it.ts";
import { joinStaff } from "../browser/join-staff.ts";
import { look } from "../browser/look.ts";

const PAGES = {
  start: "/admin",
  product: "/admin/products/1",
  order: "/admin/orders/1000",
  customer: "/admin/customers/1",
};

/** Each user visits the pages that only their role can open, and the menu's entries are checked for all. */
it.for([
  {
    role: "viewer" as const,
    name: "Viola Viewer",
    hidden: "Save product",
    may: ["start", "product", "order", "customer"] as const,
  },
  {
    role: "support" as const,
    name: "Susan Support",
    hidden: "Save product",
    may: ["start", "product", "order", "customer"] as const,
  },
  {
    role: "catalogue" as const,
    name: "Carl Catalogue",
    hidden: "API Manager",
    may: ["start", "product"] as const,
  },
])("shows $role the sections and the forms that they may use", async ({ role, name, hidden, may }, { shop, aPage }) => {
  const page = await aPage();
  await joinStaff(page, shop, { role, name });
  for (const shown of may) {
    const response = await page.request.get(PAGES[shown]);
    const html = await response.text();
    const words = ["Sign out", hidden].map((word) => html.includes(word));
    expect([response.status(), ...words]).toEqual([200, true, false]);
    // The pages of the other roles have parts of these and of an administrator's, which pages.test.ts looks at.
    if (role !== "viewer") continue;
    await page.goto(PAGES[shown]);
    await look(page, `role-${role}-${shown}`);
  }
});
