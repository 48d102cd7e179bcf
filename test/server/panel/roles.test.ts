import { expect } from "vitest";
import { LONG } from "../../support/long.ts";
import { fromAnAddress } from "../an-address.ts";
import { it } from "../browser/it.ts";
import { look } from "../browser/look.ts";
import { signIn } from "../browser/sign-in.ts";
import { verifyEmail } from "../emails.ts";

/** Sign-ups of a test come from an address of their own: each address has few. */
const headers = { "Content-Type": "application/json", ...fromAnAddress() };

it.for([
  { role: "viewer", name: "Viola Viewer", hidden: "Save product" },
  { role: "support", name: "Susan Support", hidden: "Save product" },
  { role: "catalogue", name: "Carl Catalogue", hidden: "API Manager" },
])(
  "shows $role the sections and the forms that they may use",
  LONG,
  async ({ role, name, hidden }, { shop, aSignedInPage, aPage }) => {
    const chosen = { email: `${role}@shop.example`, password: "chosen at sign-up" };
    const body = JSON.stringify({ ...chosen, name });
    const answer = await fetch(`${shop.base_url}/api/v1/user/auth/signup`, { method: "POST", headers, body });
    // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the test is about
    const { data }: any = await answer.json();
    await verifyEmail(shop.base_url, chosen.email, chosen.password);

    const admin = await aSignedInPage();
    await admin.goto(`/admin/customers/${data.user.id}`);
    await admin.getByLabel("Role").selectOption(role);
    await admin.getByRole("button", { name: "Save account" }).click();
    await admin.getByRole("heading", { name: "New member of staff" }).waitFor();
    const password = await admin.getByLabel("New password").inputValue();

    const page = await aPage();
    await signIn(page, { email: chosen.email, password });
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
