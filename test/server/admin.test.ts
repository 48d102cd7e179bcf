import { existsSync } from "node:fs";
import { TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createStorefront } from "../../src/client/index.ts";
import { LONG } from "../support/long.ts";
import { administer } from "./administer.ts";
import { aCheckout, type OpenShop } from "./checkout.ts";
import { sentToken, verifyEmail } from "./emails.ts";

// A shop of its own: a command that writes to the database of a running one may find it locked, and so may the shop.

let checkout: Awaited<ReturnType<typeof aCheckout>>;
let shop: OpenShop;

beforeAll(async () => {
  checkout = await aCheckout(inject("state"));
  shop = await checkout.start();
});

afterAll(async () => {
  await checkout.kill();
  checkout.remove();
});

describe("npm run admin", LONG, () => {
  const EMAIL = "o'neil@shop.example";
  const NAME = "Ada O'Neil'); DROP TABLE users; -- \"x\" /*";

  async function post(verb: "signup" | "login" | "refresh", sent: Record<string, string>) {
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify(sent);
    const response = await fetch(`${shop.base_url}/api/v1/user/auth/${verb}`, { method: "POST", headers, body });
    return (
      (await response.json()) as {
        data?: { token: string; refresh_token: string; user: { name: string; role: string } };
      }
    ).data;
  }

  const send = async (method: string, path: string, body: object, token?: string) => {
    const headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
    return (await fetch(`${shop.base_url}/api/v1/user/${path}`, { method, headers, body: JSON.stringify(body) }))
      .status;
  };

  const logIn = ({ email, password }: { email: string; password: string }) => post("login", { email, password });

  async function enableTwoFactor(token: string | undefined, current_password: string) {
    const api = createStorefront({ baseUrl: shop.base_url, credential: token });
    const { data } = await api.POST("/api/v1/user/account/two-factor", { body: { current_password } });
    const code = new TOTP({ secret: data.secret }).generate();
    await api.POST("/api/v1/user/account/two-factor/confirm", { body: { code } });
  }

  /** What commands did to users, newest first. */
  async function logOf() {
    const headers = { Authorization: `Bearer ${(await logIn(shop.admin))?.token}` };
    const address = `${shop.base_url}/api/v1/admin/audit-log?actor=system&subject=user`;
    return ((await (await fetch(address, { headers })).json()) as { data: unknown[] }).data;
  }

  it("makes an administrator, once, whose password is printed and stands nowhere else", async () => {
    const { code, stdout, stderr, asked, files, rights } = await administer(
      shop.folder,
      ` ${EMAIL.toUpperCase()} `,
      NAME,
    );
    expect([code, stderr]).toEqual([0, ""]);
    const [, password = ""] = /Password {2}([\w-]{24})\n/.exec(stdout) ?? [];
    expect(await logIn({ email: EMAIL, password })).toMatchObject({ user: { name: NAME, role: "admin" } });
    const [entry] = await logOf();
    expect(entry).toMatchObject({
      actor: "system",
      action: "user.create",
      before: null,
      after: { email: EMAIL, name: NAME, role: "admin" },
    });

    expect(asked).not.toMatch(/scrypt/);
    expect(files).toContain("$scrypt$");
    for (const text of [asked, files, JSON.stringify(entry)]) expect(text).not.toContain(password);
    expect(rights).toMatch(/^-rw-------/);
    expect(existsSync(asked.trim().split("\n").at(-1) ?? "")).toBe(false);

    const again = await administer(shop.folder, EMAIL, "Somebody Else");
    expect([again.code, again.stdout, again.files]).toEqual([1, "", ""]);
    expect(again.stderr).toContain("Nothing was changed");
    expect(again.stderr).not.toMatch(/\bat .*:\d+:\d+/);
  });

  it("promotes an account, with a new password and without the second factor, sessions and links that it had", async () => {
    const person = { email: "promoted@shop.example", password: "the password that it has" };
    const signedUp = await post("signup", { ...person, name: "Grace" });
    const profile = { email: "elsewhere@shop.example", current_password: person.password };
    expect(await send("PUT", "account/profile", profile, signedUp?.token)).toBe(200);
    const link = await sentToken(shop.base_url, profile.email, "confirm");
    await verifyEmail(shop.base_url, person.email, person.password);
    await enableTwoFactor(signedUp?.token, person.password);
    expect((await logIn(person))?.token).toBeUndefined();
    const { code, stdout, asked, files } = await administer(shop.folder, "promote", person.email);
    const [, password = ""] = /Password {2}([\w-]{24})\n/.exec(stdout) ?? [];
    expect(code).toBe(0);
    for (const text of [asked, files]) expect(text).not.toContain(password);
    expect(await logIn(person)).toBeUndefined();
    expect(await post("refresh", { refresh_token: signedUp?.refresh_token ?? "" })).toBeUndefined();
    expect(await send("POST", "auth/verify-email", { token: link })).toBe(400);
    expect((await logIn({ ...person, password }))?.user.role).toBe("admin");
    expect((await logOf())[0]).toMatchObject({
      before: { role: "customer" },
      after: { role: "admin", password: "changed" },
    });
  });

  it("lets in who has lost the second factor", async () => {
    const person = { email: "locked-out@shop.example", password: "the password that it has" };
    const signedUp = await post("signup", { ...person, name: "Ada" });
    await verifyEmail(shop.base_url, person.email, person.password);
    await enableTwoFactor(signedUp?.token, person.password);
    expect((await logIn(person))?.token).toBeUndefined();
    const { code, stderr, files } = await administer(shop.folder, "without-two-factor", person.email);
    expect([code, stderr]).toEqual([0, ""]);
    expect(files).toContain("'two_factor_removed'");
    expect((await logOf())[0]).toMatchObject({ actor: "system", action: "user.remove_two_factor" });
    expect(await post("refresh", { refresh_token: signedUp?.refresh_token ?? "" })).toBeUndefined();
    expect((await logIn(person))?.token).toEqual(expect.any(String));
  });
});
