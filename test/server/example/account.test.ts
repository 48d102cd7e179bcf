import { type TOTP, URI } from "otpauth";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { LONG } from "../../support/long.ts";
import { look } from "../browser/look.ts";
import { emailsTo, sentToken, verifyEmail } from "../emails.ts";
import { aShopper, asAdmin } from "../shopper.ts";
import { it, shopperAt, signIn, told } from "./example.ts";

const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true }).waitFor();

async function open(page: Page, path: string, shopper: Parameters<typeof signIn>[1]) {
  await page.goto(`/sign-in?next=${encodeURIComponent(path)}`);
  await signIn(page, shopper);
  await told(page, "Welcome, Lou Lossy.");
}

describe("a shopper without the password", () => {
  it(
    "gets a link by e-mail, chooses a new password in the shop, and signs in",
    LONG,
    async ({ shop, example, aPage }) => {
      const { email, password } = await aShopper(shop, 0);
      await verifyEmail(shop.base_url, email, password);
      const page = await aPage({ ...shopperAt(example) });
      await page.goto("/sign-in");
      await page.getByRole("link", { name: "Forgot your password?" }).click();
      await page.getByLabel("E-mail").fill(email);
      await look(page, "example-forgot-password");
      await page.getByRole("button", { name: "Send the link" }).click();
      await heading(page, "Check your e-mail");
      await look(page, "example-link-sent");

      const link = `/account/reset?token=${await sentToken(shop.base_url, email, "reset")}`;
      await page.goto(link);
      await page.getByLabel("New password").fill("password");
      await page.getByRole("button", { name: "Change password" }).click();
      await page.getByText("one of the most common passwords").waitFor();
      await look(page, "example-reset-refused");
      await page.getByLabel("New password").fill("quite another password");
      await page.getByRole("button", { name: "Change password" }).click();
      await told(page, "Your password is changed.");
      await signIn(page, { email, password: "quite another password" });
      await told(page, "Welcome, Lou Lossy.");

      await page.goto(link);
      await page.getByLabel("New password").fill("yet another password");
      await page.getByRole("button", { name: "Change password" }).click();
      await page.getByRole("alert").getByText("The link no longer works").waitFor();
      await page.getByRole("link", { name: "Request a new one" }).click();
      await heading(page, "Forgot your password?");
    },
  );

  it("reads the same for an address without an account, and is asked to wait after three times", async ({
    shop,
    example,
    aPage,
  }) => {
    const page = await aPage({ ...shopperAt(example) });
    const nobody = `${crypto.randomUUID()}@shop.example`;
    const ask = async () => {
      await page.goto("/forgot-password");
      await page.getByLabel("E-mail").fill(nobody);
      await page.getByRole("button", { name: "Send the link" }).click();
    };
    for (let asked = 0; asked < 3; asked++) {
      await ask();
      await page.getByText("If the address belongs to an account").waitFor();
    }
    await ask();
    await page
      .getByRole("alert")
      .getByText(/Too many attempts. Try again in \d+ minutes/)
      .waitFor();
    expect(await page.getByLabel("E-mail").inputValue()).toBe(nobody);
    expect(await emailsTo(shop.base_url, nobody)).toEqual([]);
  });
});

it(
  "sets up a second factor in the account, asks for its code at sign-in, and turns it off",
  LONG,
  async ({ shop, example, aPage }) => {
    const shopper = await aShopper(shop, 0);
    const { email, password } = shopper;
    await verifyEmail(shop.base_url, email, password);
    const page = await aPage({ ...shopperAt(example) });
    await open(page, "/account/two-factor", shopper);
    await page.getByLabel("Current password").fill(password);
    await page.getByRole("button", { name: "Set up" }).click();
    await heading(page, "1. Add the account to your authenticator app");
    await look(page, "example-two-factor-set-up");
    // Whoever uses the browser next must not find the secret.
    await page.getByRole("button", { name: "Sign out" }).click();
    await told(page, "You are signed out.");
    expect((await page.context().cookies()).map(({ name }) => name)).not.toContain("shop-factor");
    await open(page, "/account/two-factor", shopper);
    await page.getByLabel("Current password").fill(password);
    await page.getByRole("button", { name: "Set up" }).click();
    const codes = URI.parse(
      (await page.getByRole("link", { name: "open the app" }).getAttribute("href")) ?? "",
    ) as TOTP;
    const code = page.getByRole("textbox", { name: "Code" });
    await code.fill("none");
    await page.getByRole("button", { name: "Turn on" }).click();
    await page.getByText("Code is wrong").waitFor();
    await code.fill(codes.generate());
    await page.getByRole("button", { name: "Turn on" }).click();
    await told(page, "Two-step sign-in is on.");
    await look(page, "example-recovery-codes");
    const recoveryCodes = await page.locator(".secrets li").allTextContents();
    expect(recoveryCodes).toHaveLength(10);
    await page.reload();
    await page.getByText("You have 10 recovery codes left").waitFor();
    await look(page, "example-two-factor-on");
    await page.getByRole("button", { name: "Sign out" }).click();

    await page.goto("/sign-in?next=/account");
    await signIn(page, { email, password });
    await heading(page, "Enter your code");
    await look(page, "example-sign-in-code");
    await page.getByLabel("Code").fill("000000");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Code").fill(recoveryCodes[0] ?? "");
    await page.getByRole("button", { name: "Sign in" }).click();
    await heading(page, "Hello, Lou Lossy");
    await page.goto("/sign-in/code");
    await heading(page, "Hello, Lou Lossy");
    await page.goto("/account/two-factor");
    await code.fill(recoveryCodes[1] ?? "");
    await page.getByRole("button", { name: "Turn off" }).click();
    await told(page, "Two-step sign-in is off.");
  },
);

describe("links in e-mails", () => {
  it("verify an address by a click where its shopper is signed in, and by the password elsewhere", async ({
    shop,
    example,
    aPage,
  }) => {
    const [one, other] = [await aShopper(shop, 0), await aShopper(shop, 0)];
    const page = await aPage({ ...shopperAt(example) });
    await open(page, "/account", one);
    await heading(page, "Verify your e-mail address");
    await look(page, "example-account-unverified");
    await page.goto(`/account/verify?token=${await sentToken(shop.base_url, one.email, "verify")}`);
    await look(page, "example-verify");
    await page.getByRole("button", { name: "Yes, verify it" }).click();
    await told(page, `${one.email} is verified.`);

    const elsewhere = await aPage({ ...shopperAt(example) });
    await elsewhere.goto(`/account/verify?token=${await sentToken(shop.base_url, other.email, "verify")}`);
    await elsewhere.getByLabel("Password").fill("not the password");
    await elsewhere.getByRole("button", { name: "Verify address" }).click();
    await elsewhere.getByText("Password is not the password").waitFor();
    await look(elsewhere, "example-verify-by-password");
    await elsewhere.getByLabel("Password").fill(other.password);
    await elsewhere.getByRole("button", { name: "Verify address" }).click();
    await told(elsewhere, `${other.email} is verified.`);
    expect((await other.api.GET("/api/v1/user/account/profile")).data.email_verified_at).not.toBeNull();
  });

  it("never reset an account by the button of a shopper whose session has ended", async ({ shop, example }) => {
    const shopper = await aShopper(shop, 0);
    const body = new URLSearchParams({
      token: await sentToken(shop.base_url, shopper.email, "verify"),
      proof: "session",
    });
    const headers = { Origin: example, ...shopperAt(example).extraHTTPHeaders };
    const options = { method: "POST", headers, body, redirect: "manual" } as const;
    const response = await fetch(`${example}/account/verify`, options);
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/sign-in"]);
    expect((await shopper.api.GET("/api/v1/user/account/profile")).data.name).toBe("Lou Lossy");
  });

  it("move an account to a new address, and back", LONG, async ({ shop, example, aPage }) => {
    const shopper = await aShopper(shop, 0);
    await verifyEmail(shop.base_url, shopper.email, shopper.password);
    const page = await aPage({ ...shopperAt(example) });
    await open(page, "/account/profile", shopper);
    const moved = `moved-${shopper.email}`;
    await page.getByText("Change the address").click();
    await page.getByLabel("New e-mail address").fill(moved);
    await page.getByLabel("Current password").fill("not the password");
    await page.getByRole("button", { name: "Change address" }).click();
    await page.getByText("Current password is not").waitFor();
    expect(await page.getByLabel("New e-mail address").inputValue()).toBe(moved);
    await page.getByLabel("Current password").fill(shopper.password);
    await page.getByRole("button", { name: "Change address" }).click();
    await told(page, `We sent a link to ${moved}.`);
    await look(page, "example-profile-moving");
    await page.goto(`/account/confirm?token=${await sentToken(shop.base_url, moved, "confirm")}`);
    await look(page, "example-confirm");
    await page.getByRole("button", { name: "Confirm address" }).click();
    await told(page, `${moved} is verified.`);
    await page.goto(`/account/revert?token=${await sentToken(shop.base_url, shopper.email, "revert")}`);
    await look(page, "example-revert");
    await page.getByRole("button", { name: "Restore this address" }).click();
    await told(page, "Your account has its previous address again.");
  });
});

describe("the account", () => {
  it("keeps addresses of every country, one of them the default", LONG, async ({ shop, example, aPage }) => {
    const shopper = await aShopper(shop, 0);
    const page = await aPage({ ...shopperAt(example), javaScriptEnabled: false });
    await open(page, "/account/addresses", shopper);
    const add = async (country: string, lines: Record<string, string>) => {
      await page.getByRole("link", { name: "Add an address" }).click();
      await page.getByLabel("Country").selectOption(country);
      await page.getByRole("button", { name: "Continue" }).click();
      for (const [label, line] of Object.entries(lines)) await page.getByLabel(label, { exact: true }).fill(line);
    };
    const save = () => page.getByRole("button", { name: "Save address" }).click();
    const street = "Donaudampfschifffahrtsgesellschaftskapitänsweg 12";
    await add("Germany", { "Full name": "Jörg Müller-Lüdenscheidt", "Street address": street, City: "Köln" });
    await page.getByLabel("Postcode").fill("     ");
    await save();
    await page.getByText("Postcode is required").waitFor();
    expect(await page.getByLabel("Street address").inputValue()).toBe(street);
    const longest = { "Full name": "م".repeat(100), "Street address": "ش".repeat(200), City: "ق".repeat(100) };
    for (const [label, line] of Object.entries(longest)) await page.getByLabel(label, { exact: true }).fill(line);
    await save();
    await page.getByText("Postcode is required").waitFor();
    for (const [label, line] of Object.entries(longest)) {
      expect(await page.getByLabel(label, { exact: true }).inputValue()).toBe(line);
    }
    await page.getByLabel("Full name").fill("Jörg Müller-Lüdenscheidt");
    await page.getByLabel("Street address").fill(street);
    await page.getByLabel("City").fill("Köln");
    await page.getByLabel("Postcode").fill("50667");
    await save();
    await told(page, "The address is added.");
    await add("Japan", {
      "Full name": "山田 太郎",
      "Street address": "千代田1-1",
      City: "千代田区",
      "Postal code": "100-0001",
    });
    await page.getByLabel("Prefecture").selectOption({ index: 1 });
    await save();
    await add("Egypt", { "Full name": "محمد عبد الرحمن", "Street address": "شارع التحرير ١٢", City: "القاهرة" });
    await page.getByLabel("Use as default").check();
    await save();
    const saved = async () => (await shopper.api.GET("/api/v1/user/account/addresses")).data;
    expect((await saved()).map(({ city, default: isDefault }) => [city, isDefault])).toEqual([
      ["القاهرة", true],
      ["千代田区", false],
      ["Köln", false],
    ]);

    await page.getByRole("link", { name: `Edit ${street}` }).click();
    expect(await page.getByLabel("Postcode").inputValue()).toBe("50667");
    await page.getByLabel("City").fill("Bonn");
    await save();
    await page.getByRole("button", { name: `Make default: ${street}` }).click();
    await told(page, "The default address is changed.");
    await page.locator(".confirm summary").last().click();
    await page.getByRole("button", { name: "Yes, delete this address" }).click();
    await told(page, "The address is deleted.");
    expect((await saved()).map(({ city, default: isDefault }) => [city, isDefault])).toEqual([
      ["Bonn", true],
      ["القاهرة", false],
    ]);
  });

  it("has nothing wrong with its pages", LONG, async ({ shop, example, aPage }) => {
    const shopper = await aShopper(shop, 20);
    for (const country of ["DE", "EG"]) {
      const body = { name: "ع".repeat(100), address: "w".repeat(200), city: "K".repeat(100), zip: "12345", country };
      await shopper.api.POST("/api/v1/user/account/addresses", { body });
    }
    const page = await aPage({ ...shopperAt(example) });
    await open(page, "/account", shopper);
    for (const [name, path] of Object.entries({
      overview: "/account",
      profile: "/account/profile",
      addresses: "/account/addresses",
      "new-address": "/account/addresses/new",
      password: "/account/password",
      devices: "/account/sessions",
      delete: "/account/delete",
    })) {
      await page.goto(path);
      await look(page, `example-account-${name}`);
    }
    await page.goto("/account/addresses");
    await page.getByRole("link", { name: /^Edit/ }).first().click();
    await look(page, "example-account-address");
  });

  it("is asked for by nobody without a session", async ({ example }) => {
    const pages = [
      "",
      "/profile",
      "/addresses",
      "/addresses/1",
      "/password",
      "/two-factor",
      "/sessions",
      "/delete",
      "/data",
    ];
    for (const path of pages) {
      const response = await fetch(`${example}/account${path}`, { redirect: "manual" });
      expect([path, response.status, response.headers.get("Location")]).toEqual([
        path,
        303,
        `/sign-in?next=${encodeURIComponent(`/account${path}`)}`,
      ]);
    }
  });

  it("changes details and password, and ends the sessions of other devices", LONG, async ({ shop, example, aPage }) => {
    const shopper = await aShopper(shop, 0);
    const page = await aPage({ ...shopperAt(example) });
    await open(page, "/account/profile", shopper);
    await page.getByLabel("Name", { exact: true }).fill("Lou Lossless");
    await page.getByLabel("Phone").fill("call me");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Please check the marked fields.").waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Lou Lossless");
    await page.getByLabel("Phone").fill("+49 30 123456");
    await page.getByLabel("Send me news").check();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await told(page, "Your profile is saved.");
    const { data: profile } = await shopper.api.GET("/api/v1/user/account/profile");
    expect(profile).toMatchObject({ name: "Lou Lossless", phone: "+49 30 123456", accepts_marketing: true });

    await page.goto("/account/sessions");
    await page.getByText("Chrome on Linux").first().waitFor();
    await page
      .getByRole("button", { name: /^Sign out Unknown device|^Sign out Chrome/ })
      .first()
      .click();
    await told(page, "The device is signed out.");
    await page.getByText("This device").waitFor();
    await expect(shopper.api.GET("/api/v1/user/account/profile")).rejects.toThrow();

    await page.goto("/account/password");
    await page.getByLabel("Current password").fill("not the password");
    await page.getByLabel("New password").fill("quite another password");
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("Current password is not").waitFor();
    await page.getByLabel("Current password").fill(shopper.password);
    await page.getByLabel("New password").fill("quite another password");
    await page.getByRole("button", { name: "Change password" }).click();
    await told(page, "Your password is changed");
    // Each form was answered by a redirect: going back sends none again.
    await page.goBack();
    await heading(page, "Password");
  });

  it("is deleted by its owner, who may think better of it", LONG, async ({ shop, example, aPage }) => {
    const shopper = await aShopper(shop, 5);
    const page = await aPage({ ...shopperAt(example) });
    await open(page, "/account/delete", shopper);
    const remove = async () => {
      await page.getByLabel("Current password").fill(shopper.password);
      await page.getByRole("button", { name: "Delete my account" }).click();
    };
    await remove();
    await page.getByRole("alert").getByText("The wallet is not empty").waitFor();
    const { data: profile } = await shopper.api.GET("/api/v1/user/account/profile");
    const body = { amount: -5, reason: "Paid out" };
    await (await asAdmin(shop)).POST("/api/v1/admin/users/{id}/credit", { params: { path: { id: profile.id } }, body });
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download your data" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("my-data.json");
    const headers = { Origin: new URL(page.url()).origin };
    await page.request.post("/checkout", { form: { update: "keep", "address.name": "Lou Lossy" }, headers });
    const cookies = async () => (await page.context().cookies()).map(({ name }) => name);
    expect(await cookies()).toEqual(expect.arrayContaining(["shop-checkout", "shop-address"]));
    await remove();
    await told(page, "Your account will be erased in seven days.");
    expect(await cookies()).not.toContain("shop-checkout");
    expect(await cookies()).not.toContain("shop-address");
    await open(page, "/account", shopper);
    await look(page, "example-account-leaving");
    await page.getByRole("button", { name: "Keep my account" }).click();
    await told(page, "Your account is kept.");
  });
});
