import { describe, expect } from "vitest";
import { fromAnAddress } from "../an-address.ts";
import { it } from "../browser/it.ts";
import { look } from "../browser/look.ts";
import { verifyEmail } from "../emails.ts";

/** Sign-ups and log-ins of a test come from an address of their own: each address has few. */
const headers = { "Content-Type": "application/json", ...fromAnAddress() };

describe.each([
  ["with script", true],
  ["without script", false],
])("%s", (_, javaScriptEnabled) => {
  it("makes an administrator of a customer, who is signed out and whose new password is shown once", async ({
    shop,
    aSignedInPage,
  }) => {
    const ask = async (path: string, body: unknown, method = "POST", token?: string) => {
      const sent = { ...headers, ...(token && { Authorization: `Bearer ${token}` }) };
      const url = `${shop.base_url}/api/v1/user${path}`;
      const response = await fetch(url, { method, headers: sent, body: body === null ? null : JSON.stringify(body) });
      // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the test is about
      const { data }: any = await response.json();
      return { status: response.status, data };
    };
    const email = `promoted-${javaScriptEnabled ? "with" : "without"}-script@shop.example`;
    const chosen = { email, password: "chosen by who knows whom" };
    const { data: account } = await ask("/auth/signup", { ...chosen, name: "Grace Hopper" });
    await verifyEmail(shop.base_url, email, chosen.password);
    const path = `/admin/customers/${account.user.id}`;

    const page = await aSignedInPage({ javaScriptEnabled });
    await page.goto(path);
    await page.getByLabel("Role").selectOption("admin");
    await page.getByRole("button", { name: "Save account" }).click();
    await page.getByRole("heading", { name: "New member of staff" }).waitFor();
    await page.getByText("Grace Hopper has the role Administrator now").waitFor();
    if (javaScriptEnabled) await look(page, "new-staff");
    const password = await page.getByLabel("New password").inputValue();

    expect((await ask("/account/profile", null, "GET", account.token)).status).toBe(401);
    expect((await ask("/auth/login", chosen)).status).toBe(401);
    const { status, data } = await ask("/auth/login", { email, password });
    expect([status, data.user.role]).toEqual([200, "admin"]);

    await page.getByRole("link", { name: "I have copied it" }).click();
    await page.getByRole("button", { name: "Save account" }).waitFor();
    expect(await page.getByLabel("Role").inputValue()).toBe("admin");
    expect(await page.content()).not.toContain(password);
    await page.goBack();
    expect(await page.content()).not.toContain(password);
  });
});
