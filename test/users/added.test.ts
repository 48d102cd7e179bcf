import { beforeAll, expect, it } from "vitest";
import { NO_PASSWORD } from "../../src/accounts/users/sign-in/passwords.ts";
import { accountNow } from "../support/accounts.ts";
import { call } from "../support/call.ts";
import { delivered, tokenIn } from "../support/emails.ts";
import { anAdministrator, fieldsOf } from "../support/panel.ts";
import { aKey, aUser } from "../support/shop.ts";

const CHOSEN = "a password of my own";

let support: Awaited<ReturnType<typeof aUser>>;

beforeAll(async () => {
  support = await aUser({ role: "support" });
});

let made = 0;
const anEmail = () => `added-${++made}@people.test`;

const invited = async (email: string) => {
  const [letter = { text: "" }] = (await delivered(email)).filter(({ subject }) =>
    subject.startsWith("Your account at"),
  );
  return tokenIn(letter);
};

const choose = (token: string) => call("POST /auth/reset-password", { body: { token, password: CHOSEN } });

it("adds a customer, who chooses a password by the link and keeps staff's data", async () => {
  const email = anEmail();
  const body = { name: "Grace Hopper", email, phone: "0117 496 0123", invite: true };
  const { status, body: added } = await call("POST /admin/users", { as: support.token, body });
  expect([status, added.data]).toMatchObject([
    201,
    { role: "customer", has_password: false, phone: expect.any(String) },
  ]);
  expect((await call("POST /auth/login", { body: { email, password: CHOSEN } })).status).toBe(401);
  const token = await invited(email);
  expect((await choose(token)).body.data).toMatchObject({ token: expect.any(String), user: { name: "Grace Hopper" } });
  const now = await accountNow(added.data.id);
  expect(now).toMatchObject({ name: "Grace Hopper", phone: added.data.phone, emailVerifiedAt: expect.any(Number) });
  expect((await choose(token)).status).toBe(400);
  const again = await call(`POST /admin/users/${now.id}/invite`, { as: support.token, body: {} });
  expect([again.status, again.body.code]).toEqual([409, "not_invitable"]);
});

it("sends no link unless the customer is invited, and a newer link ends an earlier one", async () => {
  const email = anEmail();
  const { key } = await aKey({ permissions: ["users:write"] });
  const { body } = await call("POST /admin/users", { as: key, body: { name: "Later", email } });
  expect(await delivered(email)).toEqual([]);
  const send = () => call(`POST /admin/users/${body.data.id}/invite`, { as: key, body: {} });
  expect((await send()).status).toBe(200);
  const first = await invited(email);
  await send();
  const second = await invited(email);
  expect([(await choose(first)).status, (await choose(second)).status]).toEqual([400, 200]);
});

it("refuses an address that is taken, and invites no staff", async () => {
  const { email } = await aUser();
  const { body } = await call("POST /admin/users", { as: support.token, body: { name: "Twice", email } });
  expect(body.details[0]).toMatchObject({ field: "email", code: "email_taken" });
  const member = await aUser({ role: "viewer", passwordHash: NO_PASSWORD });
  expect((await call(`POST /admin/users/${member.id}/invite`, { as: support.token, body: {} })).status).toBe(404);
});

it("works from the panel, which keeps typed values", async () => {
  const { get, post } = await anAdministrator({ role: "support" });
  const email = anEmail();
  const typed = { ...fieldsOf(await get("/admin/customers/new"), "/admin/customers"), name: "Ada", company: "Engines" };
  const wrong = await post("/admin/customers", { ...typed, email: "no address" });
  expect([wrong.status, fieldsOf(wrong, "/admin/customers").company]).toEqual([400, ["Engines"]]);
  const added = await post("/admin/customers", { ...typed, email, invite: "true" });
  expect(added.location).toMatch(/^\/admin\/customers\/\d+$/);
  const page = await get(added.location ?? "");
  expect(page.html).toContain("Ada was added and invited.");
  expect(page.html).toContain("This customer has no password yet.");
  await delivered();
  expect((await post(`${added.location}/invite`)).location).toBe(added.location);
  expect((await choose(await invited(email))).status).toBe(200);
});

it("keeps notes that only staff read, and that an export contains", async () => {
  const customer = await aUser();
  const notes = `/admin/users/${customer.id}/notes`;
  expect((await call(`POST ${notes}`, { as: support.token, body: { text: " " } })).status).toBe(400);
  const sent = { as: support.token, body: { text: "Prefers the telephone" } };
  expect((await call(`POST ${notes}`, sent)).status).toBe(201);
  const { body } = await call(`GET ${notes}`, { as: support.token });
  expect(body.data).toMatchObject([{ text: "Prefers the telephone", author: `user:${support.id}` }]);
  expect((await call(`GET ${notes}`, { as: customer.token })).status).toBe(403);
  const { get, post } = await anAdministrator();
  const path = `/admin/customers/${customer.id}`;
  await post(`${path}/notes`, { text: "Called <back>" });
  expect((await get(path)).html).toContain("Called &lt;back&gt;");
  const data = JSON.parse((await get(`${path}/export`)).html);
  expect(data.notes.map(({ text }: { text: string }) => text)).toEqual(["Prefers the telephone", "Called <back>"]);
});
