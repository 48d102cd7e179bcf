import { expect } from "vitest";
import { fromAnAddress } from "../an-address.ts";
import { it } from "../browser/it.ts";
import { DIALOG, look } from "../browser/look.ts";
import { told } from "../browser/told.ts";

/** Sign-ups of this test come from an unused address, because each address is limited. */
const headers = { "Content-Type": "application/json", ...fromAnAddress() };

it("exports and erases a customer's data, and cancels an erasure", async ({ shop, aSignedInPage }) => {
  const body = JSON.stringify({ email: "erased@shop.example", password: "chosen at sign-up", name: "Erin Erased" });
  const answer = await fetch(`${shop.base_url}/api/v1/user/auth/signup`, { method: "POST", headers, body });
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the test is about
  const { data }: any = await answer.json();
  const page = await aSignedInPage();
  await page.goto(`/admin/customers/${data.user.id}`);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export as JSON" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`customer-${data.user.id}.json`);
  await page.locator("main:not([aria-busy])").waitFor();

  await page.getByRole("button", { name: "Erase account" }).click();
  await page.getByRole("heading", { name: "Erase the account of Erin Erased?" }).waitFor();
  await look(page, "customer-erase", { within: DIALOG });
  await page.getByRole("dialog").getByRole("button", { name: "Erase account" }).click();
  await told(page, "The account will be erased in seven days");
  await look(page, "customer-to-be-erased");
  await page.getByRole("button", { name: "Keep account" }).click();
  await told(page, "The erasure was cancelled");
});

it("explains why a customer with money in the wallet is not erased", async ({ aSignedInPage }) => {
  const page = await aSignedInPage();
  await page.goto("/admin/customers?search=casey");
  await page.getByRole("link", { name: "Casey Customer" }).click();
  await page.getByRole("button", { name: "Erase account" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Erase account" }).click();
  await page.getByText("The wallet is not empty").waitFor();
  await look(page, "customer-not-erased");
});
