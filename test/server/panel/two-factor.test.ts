import jsQR from "jsqr";
import { TOTP, URI } from "otpauth";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { LONG } from "../../support/long.ts";
import { it } from "../browser/it.ts";
import { joinStaff } from "../browser/join-staff.ts";
import { DIALOG, look } from "../browser/look.ts";
import { signIn } from "../browser/sign-in.ts";
import { verifyEmail } from "../emails.ts";
import { aShopper } from "../shopper.ts";

type Pixels = { data: number[]; width: number; height: number };

/** Text of the page's QR code, decoded from its pixels by a library other than the one that drew it. */
async function scanned(page: Page): Promise<string> {
  const picture = await page.getByRole("img", { name: "QR code" }).screenshot();
  const { data, width, height } = await page.evaluate<Pixels>(`(async () => {
    const image = new Image();
    image.src = "data:image/png;base64,${picture.toString("base64")}";
    await image.decode();
    const { width, height } = image;
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context.drawImage(image, 0, 0);
    return { data: [...context.getImageData(0, 0, width, height).data], width, height };
  })()`);
  return jsQR(Uint8ClampedArray.from(data), width, height)?.data ?? "";
}

it("enables a second factor with the page's QR code, signs out, and in again", LONG, async ({ aPage, shop }) => {
  const page = await aPage();
  // A separate administrator, because other tests sign in as the demo's.
  const account = await joinStaff(page, shop, { role: "admin" });
  await page.goto("/admin/account");
  await page.getByLabel("Your password").fill(account.password);
  await page.getByRole("button", { name: "Set up an authenticator app" }).click();
  await page.getByRole("img", { name: "QR code" }).waitFor();
  await look(page, "two-factor-begun");
  const app = URI.parse(await scanned(page));
  if (!(app instanceof TOTP)) throw new Error("The QR code is of no authenticator app");
  expect(app.label).toBe(account.email);
  await page.getByLabel("Code from the app").fill(app.generate());
  await page.getByRole("button", { name: "Enable the second factor" }).click();
  const codes = (await page.getByLabel("Recovery codes").inputValue()).split("\n");
  expect(codes).toHaveLength(10);
  await look(page, "two-factor-recovery-codes");
  await page.getByRole("link", { name: "I have saved them" }).click();
  await page.getByText("Recovery codes left").waitFor();
  await look(page, "account-with-two-factor");
  await page.getByRole("button", { name: "Sign out" }).click();

  await signIn(page, account);
  await page.getByLabel("Code").waitFor();
  await look(page, "sign-in-code");
  await page.getByLabel("Code").fill(app.generate({ timestamp: Date.now() + 30_000 }));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Home" }).waitFor();

  await page.goto("/admin/account");
  await page.getByRole("button", { name: "Disable" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Code").fill(codes[0] ?? "");
  await dialog.getByRole("button", { name: "Disable" }).click();
  await page.getByText("The second factor is disabled.").waitFor();
});

it("removes the factor of a customer who has lost it", LONG, async ({ aSignedInPage, shop }) => {
  const { email, password, api } = await aShopper(shop, 0);
  await verifyEmail(shop.base_url, email, password);
  const begun = await api.POST("/api/v1/user/account/two-factor", { body: { current_password: password } });
  const code = new TOTP({ secret: begun.data.secret }).generate();
  await api.POST("/api/v1/user/account/two-factor/confirm", { body: { code } });
  const { data: me } = await api.GET("/api/v1/user/account/profile");

  const page = await aSignedInPage();
  await page.goto(`/admin/customers/${me.id}`);
  await page.getByRole("button", { name: "Remove second factor" }).click();
  await look(page, "remove-two-factor", { within: DIALOG });
  await page.getByRole("dialog").getByRole("button", { name: "Remove second factor" }).click();
  await page.getByText("The second factor was removed.").waitFor();
  const { data } = await api.POST("/api/v1/user/auth/login", { body: { email, password } });
  expect(data).toHaveProperty("token");
});
