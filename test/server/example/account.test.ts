import { type TOTP, URI } from "otpauth";
import { describe, expect } from "vitest";
import { LONG } from "../../support/long.ts";
import { connectApp } from "../connected-app.ts";
import { emailsTo, sentToken, verifyEmail } from "../emails.ts";
import { aVisitor, type Visitor } from "../no-script/visitor.ts";
import { aShopper, asAdmin } from "../shopper.ts";
import { aVisitOf, goingOn, it, signIn } from "./example.ts";

// No account page contains script.

const headings = (visitor: Visitor) => visitor.texts("h1, h2");

async function open(visitor: Visitor, path: string, shopper: Parameters<typeof signIn>[1]) {
  await visitor.open(`/sign-in?next=${encodeURIComponent(path)}`);
  await signIn(visitor, shopper);
  visitor.told("Welcome, Lou Lossy.");
}

describe("a shopper without the password", () => {
  it(
    "gets a link by e-mail, chooses a new password in the shop, and signs in",
    LONG,
    async ({ shop, example, see }) => {
      const { email, password } = await aShopper(shop, 0);
      await verifyEmail(shop.base_url, email, password);
      const visitor = aVisitor(example);
      await visitor.open("/sign-in");
      await visitor.follow("Forgot your password?");
      visitor.fill("E-mail", email);
      await see(visitor, "forgot-password");
      await visitor.press("Send the link");
      expect(headings(visitor)).toContain("Check your e-mail");
      await see(visitor, "link-sent");

      const link = `/account/reset?token=${await sentToken(shop.base_url, email, "reset")}`;
      await visitor.open(link);
      visitor.fill("New password", "password");
      await visitor.press("Change password");
      expect(visitor.text()).toContain("one of the most common passwords");
      await see(visitor, "reset-refused");
      visitor.fill("New password", "quite another password");
      await visitor.press("Change password");
      visitor.told("Your password is changed.");
      await signIn(visitor, { email, password: "quite another password" });
      visitor.told("Welcome, Lou Lossy.");

      await visitor.open(link);
      visitor.fill("New password", "yet another password");
      await visitor.press("Change password");
      visitor.alerted("The link no longer works");
      await visitor.follow("Request a new one");
      expect(headings(visitor)).toContain("Forgot your password?");
    },
  );

  it("sees the same for an address without an account, and has to wait after three attempts", async ({
    shop,
    example,
  }) => {
    const visitor = aVisitor(example);
    const nobody = `${crypto.randomUUID()}@shop.example`;
    const ask = async () => {
      await visitor.open("/forgot-password");
      visitor.fill("E-mail", nobody);
      await visitor.press("Send the link");
    };
    for (let asked = 0; asked < 3; asked++) {
      await ask();
      expect(visitor.text()).toContain("If the address belongs to an account");
    }
    await ask();
    visitor.alerted(/Too many attempts. Try again in \d+ minutes/);
    expect(visitor.value("E-mail")).toBe(nobody);
    expect(await emailsTo(shop.base_url, nobody)).toEqual([]);
  });
});

it(
  "sets up a second factor in the account, asks for its code at sign-in, and turns it off",
  LONG,
  async ({ shop, example, see }) => {
    const shopper = await aShopper(shop, 0);
    const { email, password } = shopper;
    await verifyEmail(shop.base_url, email, password);
    const visitor = aVisitor(example);
    await open(visitor, "/account/two-factor", shopper);
    visitor.fill("Current password", password);
    await visitor.press("Set up");
    expect(headings(visitor)).toContain("1. Add the account to your authenticator app");
    await see(visitor, "two-factor-set-up");
    // The next user of the browser must not find the secret.
    expect(visitor.cookies.has("shop-factor")).toBe(true);
    await visitor.press("Sign out");
    visitor.told("You are signed out.");
    expect(visitor.cookies.has("shop-factor")).toBe(false);
    await open(visitor, "/account/two-factor", shopper);
    visitor.fill("Current password", password);
    await visitor.press("Set up");
    const [app] = visitor.all("a[href]").filter(({ attributes }) => attributes.href?.startsWith("otpauth:"));
    const codes = URI.parse(app?.attributes.href ?? "") as TOTP;
    visitor.fill("Code", "none");
    await visitor.press("Turn on");
    expect(visitor.text()).toContain("Code is wrong");
    visitor.fill("Code", codes.generate());
    await visitor.press("Turn on");
    visitor.told("Two-step sign-in is on.");
    await see(visitor, "recovery-codes");
    const recoveryCodes = visitor.texts(".secrets li");
    expect(recoveryCodes).toHaveLength(10);
    await visitor.open("/account/two-factor");
    expect(visitor.text()).toContain("You have 10 recovery codes left");
    await see(visitor, "two-factor-on");
    await visitor.press("Sign out");

    await visitor.open("/sign-in?next=/account");
    await signIn(visitor, { email, password });
    expect(headings(visitor)).toContain("Enter your code");
    await see(visitor, "sign-in-code");
    visitor.fill("Code", "000000");
    await visitor.press("Sign in");
    visitor.alerted(/./);
    visitor.fill("Code", recoveryCodes[0] ?? "");
    await visitor.press("Sign in");
    expect(headings(visitor)).toContain("Hello, Lou Lossy");
    await visitor.open("/sign-in/code");
    expect(headings(visitor)).toContain("Hello, Lou Lossy");
    await visitor.open("/account/two-factor");
    visitor.fill("Code", recoveryCodes[1] ?? "");
    await visitor.press("Turn off");
    visitor.told("Two-step sign-in is off.");
  },
);

describe("links in e-mails", () => {
  it("verify an address by a click if its shopper is signed in, and by the password elsewhere", async ({
    shop,
    example,
    see,
  }) => {
    const [one, other] = [await aShopper(shop, 0), await aShopper(shop, 0)];
    const visitor = aVisitOf(one, example);
    await visitor.open("/account");
    expect(headings(visitor)).toContain("Verify your e-mail address");
    await see(visitor, "account-unverified");
    await visitor.open(`/account/verify?token=${await sentToken(shop.base_url, one.email, "verify")}`);
    await see(visitor, "verify");
    await visitor.press("Yes, verify it");
    visitor.told(`${one.email} is verified.`);

    const elsewhere = aVisitor(example);
    await elsewhere.open(`/account/verify?token=${await sentToken(shop.base_url, other.email, "verify")}`);
    elsewhere.fill("Password", "not the password");
    await elsewhere.press("Verify address");
    expect(elsewhere.text()).toContain("Password is not the password");
    await see(elsewhere, "verify-by-password");
    elsewhere.fill("Password", other.password);
    await elsewhere.press("Verify address");
    elsewhere.told(`${other.email} is verified.`);
    expect((await other.api.GET("/api/v1/user/account/profile")).data.email_verified_at).not.toBeNull();
  });

  it("never reset an account by the button of a shopper whose session has ended", async ({ shop, example }) => {
    const shopper = await aShopper(shop, 0);
    const token = await sentToken(shop.base_url, shopper.email, "verify");
    const { status, headers } = await aVisitor(example).send("/account/verify", { token, proof: "session" });
    expect([status, headers.get("Location")]).toEqual([303, "/sign-in"]);
    expect((await shopper.api.GET("/api/v1/user/account/profile")).data.name).toBe("Lou Lossy");
  });

  it("move an account to a new address, and back", LONG, async ({ shop, example, see }) => {
    const shopper = await aShopper(shop, 0);
    await verifyEmail(shop.base_url, shopper.email, shopper.password);
    const visitor = aVisitOf(shopper, example);
    await visitor.open("/account/profile");
    const moved = `moved-${shopper.email}`;
    visitor.fill("New e-mail address", moved);
    visitor.fill("Current password", "not the password");
    await visitor.press("Change address");
    expect(visitor.text()).toContain("Current password is not");
    expect(visitor.value("New e-mail address")).toBe(moved);
    visitor.fill("Current password", shopper.password);
    await visitor.press("Change address");
    visitor.told(`We sent a link to ${moved}.`);
    await see(visitor, "profile-moving");
    await visitor.open(`/account/confirm?token=${await sentToken(shop.base_url, moved, "confirm")}`);
    await see(visitor, "confirm");
    await visitor.press("Confirm address");
    visitor.told(`${moved} is verified.`);
    await visitor.open(`/account/revert?token=${await sentToken(shop.base_url, shopper.email, "revert")}`);
    await see(visitor, "revert");
    await visitor.press("Restore this address");
    visitor.told("Your account has its previous address again.");
  });
});

describe("the account", () => {
  it("stores addresses of every country, one of them the default", LONG, async ({ shop, example }) => {
    const shopper = await aShopper(shop, 0);
    const visitor = aVisitOf(shopper, example);
    await visitor.open("/account/addresses");
    const fillIn = (lines: Record<string, string>) => {
      for (const [label, line] of Object.entries(lines)) visitor.fill(label, line);
    };
    const add = async (country: string, lines: Record<string, string>) => {
      await visitor.follow("Add an address");
      visitor.choose("Country", country);
      await visitor.press("Continue");
      fillIn(lines);
    };
    const save = () => visitor.press("Save address");
    const street = "Donaudampfschifffahrtsgesellschaftskapitänsweg 12";
    await add("Germany", { "Full name": "Jörg Müller-Lüdenscheidt", "Street address": street, City: "Köln" });
    visitor.fill("Postcode", "     ");
    await save();
    expect(visitor.text()).toContain("Postcode is required");
    expect(visitor.value("Street address")).toBe(street);
    const longest = { "Full name": "م".repeat(100), "Street address": "ش".repeat(200), City: "ق".repeat(100) };
    fillIn({ ...longest, Postcode: " " });
    await save();
    expect(visitor.text()).toContain("Postcode is required");
    for (const [label, line] of Object.entries(longest)) expect(visitor.value(label)).toBe(line);
    fillIn({ "Full name": "Jörg Müller-Lüdenscheidt", "Street address": street, City: "Köln", Postcode: "50667" });
    await save();
    visitor.told("The address is added.");
    await add("Japan", {
      "Full name": "山田 太郎",
      "Street address": "千代田1-1",
      City: "千代田区",
      "Postal code": "100-0001",
    });
    visitor.choose("Prefecture", 1);
    await save();
    await add("Egypt", { "Full name": "محمد عبد الرحمن", "Street address": "شارع التحرير ١٢", City: "القاهرة" });
    visitor.check("Use as default");
    await save();
    const saved = async () => (await shopper.api.GET("/api/v1/user/account/addresses")).data;
    expect((await saved()).map(({ city, default: isDefault }) => [city, isDefault])).toEqual([
      ["القاهرة", true],
      ["千代田区", false],
      ["Köln", false],
    ]);

    await visitor.follow(`Edit ${street}`);
    expect(visitor.value("Postcode")).toBe("50667");
    visitor.fill("City", "Bonn");
    await save();
    await visitor.press(`Make default: ${street}`);
    visitor.told("The default address is changed.");
    await visitor.press("Yes, delete this address", 2);
    visitor.told("The address is deleted.");
    expect((await saved()).map(({ city, default: isDefault }) => [city, isDefault])).toEqual([
      ["Bonn", true],
      ["القاهرة", false],
    ]);
  });

  it("has no faults in its pages", LONG, async ({ shop, example, see }) => {
    const shopper = await aShopper(shop, 20);
    for (const country of ["DE", "EG"]) {
      const body = { name: "ع".repeat(100), address: "w".repeat(200), city: "K".repeat(100), zip: "12345", country };
      await shopper.api.POST("/api/v1/user/account/addresses", { body });
    }
    const visitor = aVisitOf(shopper, example);
    for (const [name, path] of Object.entries({
      overview: "/account",
      profile: "/account/profile",
      addresses: "/account/addresses",
      "new-address": "/account/addresses/new",
      password: "/account/password",
      devices: "/account/sessions",
      delete: "/account/delete",
    })) {
      await visitor.open(path);
      await see(visitor, `account-${name}`);
    }
    const { data: saved } = await shopper.api.GET("/api/v1/user/account/addresses");
    await visitor.open(`/account/addresses/${saved[0]?.id}`);
    await see(visitor, "account-address");
  });

  it("redeems a gift card into the wallet", async ({ shop, example, see }) => {
    const admin = await asAdmin(shop);
    const body = { value: 25, reason: "Goodwill" };
    const { data: card } = await admin.POST("/api/v1/admin/gift-cards", { body });
    const shopper = await aShopper(shop, 0);
    const visitor = aVisitOf(shopper, example);
    await visitor.open("/account");
    const wrong = card.code.slice(0, -4);
    visitor.fill("Gift card code", wrong);
    await visitor.press("Redeem");
    expect(visitor.text()).toContain("Gift card code is not a gift card of this shop.");
    expect(visitor.value("Gift card code")).toBe(wrong);
    await see(visitor, "gift-card");
    visitor.fill("Gift card code", card.code.toLowerCase());
    await visitor.press("Redeem");
    visitor.told("$25.00 was added to your wallet.");
    expect((await shopper.api.GET("/api/v1/user/account/profile")).data.wallet_balance).toBe(25);
    visitor.fill("Gift card code", card.code);
    await visitor.press("Redeem");
    expect(visitor.text()).toContain("Gift card code belongs to a gift card that was used up");
  });

  it("cannot be opened without a session", async ({ example }) => {
    const pages = [
      "",
      "/profile",
      "/addresses",
      "/addresses/1",
      "/password",
      "/two-factor",
      "/sessions",
      "/apps",
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
    const visitor = aVisitor(example);
    await open(visitor, "/account/profile", shopper);
    visitor.fill("Name", "Lou Lossless");
    visitor.fill("Phone", "call me");
    await visitor.press("Save");
    expect(visitor.text()).toContain("Please check the marked fields.");
    expect(visitor.value("Name")).toBe("Lou Lossless");
    visitor.fill("Phone", "+49 30 123456");
    visitor.check("Send me news");
    await visitor.press("Save");
    visitor.told("Your profile is saved.");
    const { data: profile } = await shopper.api.GET("/api/v1/user/account/profile");
    expect(profile).toMatchObject({ name: "Lou Lossless", phone: "+49 30 123456", accepts_marketing: true });

    await visitor.open("/account/sessions");
    expect(visitor.text()).toContain("Chrome on Linux");
    await visitor.press(/^Sign out (Unknown device|Chrome)/, 0);
    visitor.told("The device is signed out.");
    expect(visitor.text()).toContain("This device");
    await expect(shopper.api.GET("/api/v1/user/account/profile")).rejects.toThrow();

    await visitor.open("/account/password");
    visitor.fill("Current password", "not the password");
    visitor.fill("New password", "quite another password");
    await visitor.press("Change password");
    expect(visitor.text()).toContain("Current password is not");
    // Every form was answered by a redirect, so going back submits none again.
    const page = await aPage(goingOn(visitor, example));
    await page.goto("/account/password");
    await page.getByLabel("Current password").fill(shopper.password);
    await page.getByLabel("New password").fill("quite another password");
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByRole("status").getByText("Your password is changed").waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "Password", exact: true }).waitFor();
  });

  it("lists the apps that the shopper connected, and removes one at once", LONG, async ({ shop, example, see }) => {
    const shopper = await aShopper(shop, 0);
    const token = await connectApp(shop, shopper, "Wardrobe <b>& Friends");
    const use = async () =>
      (await fetch(`${shop.base_url}/api/v1/user/account/profile`, { headers: { Authorization: `Bearer ${token}` } }))
        .status;
    expect(await use()).toBe(200);
    const visitor = aVisitOf(shopper, example);
    await visitor.open("/account/sessions");
    expect(visitor.text()).not.toContain("Wardrobe");
    await visitor.open("/account/apps");
    expect(visitor.text()).toContain("Wardrobe <b>& Friends");
    await see(visitor, "account-apps");
    await visitor.press("Remove Wardrobe");
    visitor.told("The app is removed.");
    expect(visitor.text()).toContain("No app is connected.");
    await see(visitor, "account-no-apps");
    expect(await use()).toBe(401);
  });

  it("is deleted by its owner, who may change their mind", LONG, async ({ shop, example, see }) => {
    const shopper = await aShopper(shop, 5);
    const visitor = aVisitor(example);
    await open(visitor, "/account/delete", shopper);
    const remove = async () => {
      visitor.fill("Current password", shopper.password);
      await visitor.press("Delete my account");
    };
    await remove();
    visitor.alerted("The wallet is not empty");
    const { data: profile } = await shopper.api.GET("/api/v1/user/account/profile");
    const body = { amount: -5, reason: "Paid out" };
    await (await asAdmin(shop)).POST("/api/v1/admin/users/{id}/credit", { params: { path: { id: profile.id } }, body });
    const { headers, bytes } = await visitor.follow("Download your data");
    expect(headers.get("Content-Disposition")).toMatch(/^attachment; filename="?my-data\.json/);
    expect(JSON.parse(bytes.toString())).toBeTypeOf("object");
    await visitor.send("/checkout", { update: "keep", "address.name": "Lou Lossy" });
    expect([...visitor.cookies.keys()]).toEqual(expect.arrayContaining(["shop-checkout", "shop-address"]));
    await remove();
    visitor.told("Your account will be erased in seven days.");
    expect(visitor.cookies.has("shop-checkout")).toBe(false);
    expect(visitor.cookies.has("shop-address")).toBe(false);
    await open(visitor, "/account", shopper);
    await see(visitor, "account-leaving");
    await visitor.press("Keep my account");
    visitor.told("Your account is kept.");
  });
});
