import { expect } from "vitest";
import { LONG } from "../../support/long.ts";
import { it } from "../browser/it.ts";
import { DIALOG, look } from "../browser/look.ts";
import { told } from "../browser/told.ts";

it(
  "creates a key, grants it more, shows its usage and revokes it, each at once",
  LONG,
  async ({ shop, aSignedInPage }) => {
    const page = await aSignedInPage();
    await page.goto("/admin/api-keys");
    await page.getByRole("link", { name: "Create New API Key" }).click();
    await page.getByLabel("Name").fill("Journey");
    await page.getByRole("button", { name: "Create New API Key" }).click();
    await told(page, "Permissions: choose at least one permission");
    expect(await page.getByLabel("Name").inputValue()).toBe("Journey");
    await look(page, "api-key-refused");

    await page.locator("input[value='products:read']").check();
    await page.getByRole("button", { name: "Create New API Key" }).click();
    await page.getByRole("heading", { name: "API key created" }).waitFor();
    await look(page, "api-key-created");
    await page.getByRole("button", { name: "Copy" }).first().click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const key = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(key).toMatch(/^sfk_[0-9A-Za-z]{33}$/);
    expect(await page.getByLabel("Try it").inputValue()).toContain(key);
    expect(await page.getByLabel("Connect Claude Code").inputValue()).toContain(
      `/mcp/admin" --header "Authorization: Bearer ${key}"`,
    );

    const ask = async (path: string) =>
      (await fetch(`${shop.base_url}/api/v1/user${path}`, { headers: { Authorization: `Bearer ${key}` } })).status;
    expect(await ask("/products")).toBe(200);
    expect(await ask("/account/orders")).toBe(403);

    await page.getByRole("link", { name: "I have copied it" }).click();
    await page.locator("input[value='orders:read']").check();
    await page.getByRole("button", { name: "Save API key" }).click();
    await told(page, "Journey was saved");
    expect(await ask("/account/orders")).toBe(200);

    // The chart refreshes itself while the page is open.
    const counted = async () => {
      const bars = await page.locator("#usage svg title").allTextContents();
      return bars.reduce((sum, bar) => sum + Number(/: (\d+) accepted/.exec(bar)?.[1] ?? 0), 0);
    };
    await expect.poll(counted, { timeout: 60_000 }).toBe(3);

    await page.getByRole("button", { name: "Revoke" }).first().click();
    await look(page, "api-key-revoking", { within: DIALOG });
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await told(page, "The API key was revoked");
    expect(await ask("/products")).toBe(401);
  },
);

it("rotates a key: the old value is valid for its grace period, the new one at once", async ({
  shop,
  aSignedInPage,
}) => {
  const page = await aSignedInPage({ javaScriptEnabled: false });
  const ask = async (key: string) =>
    (await fetch(`${shop.base_url}/api/v1/user/products`, { headers: { Authorization: `Bearer ${key}` } })).status;
  await page.goto("/admin/api-keys/new");
  await page.getByLabel("Name").fill("Rotated");
  await page.locator("input[value='read']").check();
  await page.getByRole("button", { name: "Create New API Key" }).click();
  const old = await page.getByLabel("API key").inputValue();
  await page.getByRole("link", { name: "I have copied it" }).click();
  await page.getByRole("button", { name: "Rotate" }).first().click();
  await page.getByLabel("Old value stays valid for").selectOption("for an hour");
  await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
  const renewed = await page.getByLabel("API key").inputValue();
  expect(renewed.slice(0, 12)).toBe(old.slice(0, 12));
  expect([await ask(old), await ask(renewed)]).toEqual([200, 200]);

  await page.getByRole("link", { name: "I have copied it" }).click();
  const inGrace = page.getByText(/^The previous value works until \d/);
  await inGrace.waitFor();
  await page.getByRole("button", { name: "Revoke" }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await told(page, "The API key was revoked");
  await expect.poll(() => inGrace.count()).toBe(0);
});
