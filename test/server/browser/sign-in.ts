import type { Page } from "playwright-core";
import type { Account } from "../../../scripts/credentials.ts";

/** Fills in and submits the sign-in form. The test checks the result. */
export async function signIn(page: Page, { email, password }: Account): Promise<void> {
  await page.goto("/admin/sign-in");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}
