import { beforeEach, describe, expect, it, vi } from "vitest";
import { anAccount, PASSWORD } from "../support/accounts.ts";
import { entriesOf } from "../support/administration.ts";
import { anAddress, call } from "../support/call.ts";
import { aVisitor } from "../support/panel.ts";
import { aKey, aUser } from "../support/shop.ts";

// The audit log records administrators' changes to their own accounts, with their origin. It does not record
// customers'.

const WRONG = "not the password";

let home: string;
let admin: Awaited<ReturnType<typeof anAccount>>;

beforeEach(async () => {
  home = anAddress();
  admin = await anAccount({ role: "admin" });
});

/** Failed sign-ins are written after the response. */
const oneEntryOf = (id: number) =>
  vi.waitFor(async () => {
    const entries = await entriesOf(id);
    expect(entries).toHaveLength(1);
    return entries[0];
  });

const logIn = (email: string, password: string, as?: string) =>
  call("POST /auth/login", { as, body: { email, password }, headers: { "CF-Connecting-IP": home } });

const change = (as: string, body: unknown) =>
  call("PUT /account/profile", { as, body, headers: { "CF-Connecting-IP": home } });

describe("the sign-in of an administrator", () => {
  const ways: [where: string, signIn: (email: string, password: string) => Promise<unknown>][] = [
    ["by the API", (email, password) => logIn(email, password)],
    ["to the panel", (email, password) => aVisitor({}, home).post("/admin/sign-in", { email, password })],
  ];

  it.each(ways)("%s is audited with its address", async (_, signIn) => {
    await signIn(admin.email, PASSWORD);
    expect(await entriesOf(admin.id)).toMatchObject([
      { actor: `user:${admin.id}`, action: "user.sign_in", address: home, before: null, after: null },
    ]);
  });

  it.each(ways)("%s is audited when the password is wrong", async (_, signIn) => {
    await signIn(admin.email, WRONG);
    expect(await oneEntryOf(admin.id)).toMatchObject({
      actor: "anonymous",
      action: "user.sign_in_failed",
      address: home,
    });
  });

  it("is audited as failed when a key tried it, even with the right password", async () => {
    const { id, key } = await aKey();
    await logIn(admin.email, PASSWORD, key);
    expect(await oneEntryOf(admin.id)).toMatchObject({ actor: `api_key:${id}`, action: "user.sign_in_failed" });
  });

  it("is audited once for each password check, and no more", async () => {
    await Promise.all(Array.from({ length: 12 }, () => logIn(admin.email, WRONG)));
    await vi.waitFor(async () => expect(await entriesOf(admin.id)).toHaveLength(5));
  });
});

it("audits changes that administrators make to their own account, and never a password", async () => {
  const { token, email, name, id } = admin;
  await change(token, { name: "Ada Renamed" });
  await change(token, { email: `new-${email}`, password: "a new password", current_password: PASSWORD });
  const entries = await entriesOf(id);
  const by = { actor: `user:${id}`, action: "user.update", address: home };
  expect(entries).toMatchObject([
    { ...by, after: { password: "changed" } },
    { ...by, before: { name }, after: { name: "Ada Renamed" } },
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/scrypt|a new password|correct horse/);
});

it("audits nothing for a refused change", async () => {
  const other = await aUser();
  await change(admin.token, { name: "New", email: other.email, current_password: PASSWORD });
  expect(await entriesOf(admin.id)).toEqual([]);
});

it("audits a wrong password for a change to an administrator's account, and nothing of the change", async () => {
  await change(admin.token, { password: "a new password", current_password: WRONG });
  expect(await entriesOf(admin.id)).toMatchObject([
    { actor: `user:${admin.id}`, action: "user.password_refused", address: home, before: null, after: null },
  ]);
});

it("audits nothing about customers who sign in, fail to, or change their account", async () => {
  const customer = await anAccount();
  await logIn(customer.email, PASSWORD);
  await logIn(customer.email, WRONG);
  await change(customer.token, { name: "Renamed" });
  await change(customer.token, { password: "a new password", current_password: WRONG });
  // Once this entry exists, all earlier background writes have finished.
  await logIn(admin.email, WRONG);
  await oneEntryOf(admin.id);
  expect(await entriesOf(customer.id)).toEqual([]);
});

it("is listed with its address, and found by its actor", async () => {
  await logIn(admin.email, WRONG);
  await oneEntryOf(admin.id);
  const { body } = await call(`GET /admin/audit-log?actor=anonymous&subject_id=${admin.id}`, { as: admin.token });
  expect(body.data).toMatchObject([{ action: "user.sign_in_failed", actor: "anonymous", address: home }]);
});
