import { expect } from "vitest";
import { it } from "../browser/it.ts";
import { look } from "../browser/look.ts";

it("has nothing wrong with the pages of links, which say what is wrong with a token", async ({ aPage }) => {
  const page = await aPage();
  for (const kind of ["reset", "verify", "confirm", "revert"]) {
    await page.goto(`/account/${kind}?token=none`);
    await look(page, `account-${kind}`);
  }
  await page.goto("/account/reset?token=none");
  await page.getByLabel("New password").fill("a password for nobody");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect.poll(() => page.getByText("no longer works").isVisible()).toBe(true);
  await look(page, "account-reset-refused");
});
