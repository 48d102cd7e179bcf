import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { decodeJwt, decodeProtectedHeader, importJWK, SignJWT } from "jose";
import type { Page } from "playwright-core";
import { LONG } from "../../support/long.ts";
import { it } from "../browser/it.ts";
import { look } from "../browser/look.ts";
import type { OpenShop } from "../checkout.ts";
import { aShopper } from "../shopper.ts";

/** Replaces the session's cookie with one whose password was entered eleven minutes ago, signed with the shop's key. */
async function letTimePass(page: Page, { folder }: OpenShop): Promise<void> {
  const cookies = await page.context().cookies();
  const aged = cookies.map(async (cookie) => {
    const { alg = "", kid = "" } = decodeProtectedHeader(cookie.value);
    const claims = decodeJwt(cookie.value);
    const { TOKEN_KEYS = "" } = parseEnv(readFileSync(join(folder, ".dev.vars"), "utf8"));
    const key = await importJWK(JSON.parse(TOKEN_KEYS)[0], alg);
    const token = new SignJWT({ ...claims, auth_time: Number(claims.auth_time) - 11 * 60 });
    return { ...cookie, value: await token.setProtectedHeader({ alg, kid }).sign(key) };
  });
  await page.context().addCookies(await Promise.all(aged));
}

it(
  "asks for the password before setting another one, and shows the form again unsaved",
  LONG,
  async ({ aSignedInPage, shop }) => {
    const { api } = await aShopper(shop, 0);
    const { data: me } = await api.GET("/api/v1/user/account/profile");
    const page = await aSignedInPage();
    await letTimePass(page, shop);
    await page.goto(`/admin/customers/${me.id}`);
    await page.getByRole("heading", { name: "Access" }).click();
    await page.getByLabel("New password").fill("a password for them");
    await page.getByRole("button", { name: "Save account" }).click();
    await page.getByRole("heading", { name: "Confirm your identity" }).waitFor();
    await look(page, "reauthentication");
    await page.getByLabel("Your password").fill(shop.admin.password);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Nothing was saved. Check your input").waitFor();
    await look(page, "reauthenticated");
  },
);
