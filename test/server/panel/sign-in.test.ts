import { describe, expect } from "vitest";
import { it } from "../browser/it.ts";
import { look } from "../browser/look.ts";
import { signIn } from "../browser/sign-in.ts";

describe.each([
  ["with script", true],
  ["without script", false],
])("%s", (_, javaScriptEnabled) => {
  it("refuses a wrong password on the same page, with the e-mail still in it", async ({ aPage, shop }) => {
    const page = await aPage({ javaScriptEnabled });
    await signIn(page, { ...shop.admin, password: "not the password" });
    await page.getByRole("alert").getByText("password").waitFor();
    expect(new URL(page.url()).pathname).toBe("/admin/sign-in");
    expect(await page.getByLabel("E-mail").inputValue()).toBe(shop.admin.email);
    expect(await page.getByLabel("Password").inputValue()).toBe("");
  });

  it("refuses a customer as it refuses a stranger", async ({ aPage, shop }) => {
    const page = await aPage({ javaScriptEnabled });
    await signIn(page, shop.customer);
    await page.getByRole("alert").getByText("password").waitFor();
    await page.goto("/admin");
    await page.waitForURL("/admin/sign-in");
  });

  it("lets an administrator in to the requested page, and out again", async ({ aPage, shop }) => {
    const page = await aPage({ javaScriptEnabled });
    await page.goto("/admin/api-keys");
    await page.waitForURL("/admin/sign-in?next=**");
    await page.getByLabel("E-mail").fill(shop.admin.email);
    await page.getByLabel("Password").fill(shop.admin.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "API Manager" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/admin/api-keys");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You are signed out.").waitFor();
    await page.goto("/admin");
    await page.waitForURL("/admin/sign-in");
  });
});

it("keeps a user signed in who follows a link from another site", async ({ aSignedInPage, shop }) => {
  const page = await aSignedInPage();
  await page.goto(`data:text/html,<a href="${shop.base_url}/admin/products">A product</a>`);
  await page.getByRole("link").click();
  await page.getByRole("heading", { name: "Products" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/admin/products");
});

it("hides the session from scripts and other sites", async ({ aSignedInPage }) => {
  const page = await aSignedInPage();
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict" });
});

it("looks right, refused or not", async ({ aPage, shop }) => {
  const page = await aPage();
  await page.goto("/admin/sign-in");
  await look(page, "sign-in");
  await signIn(page, { ...shop.admin, password: "not the password" });
  await page.getByRole("alert").waitFor();
  await look(page, "sign-in-refused");
});
