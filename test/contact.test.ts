import { expect, it } from "vitest";
import { call } from "./support/call.ts";
import { aKey, aUser } from "./support/shop.ts";

let made = 0;
const aSignup = (more: object = {}) => ({
  email: `contact-${++made}@shop.test`,
  password: "a battery of horses",
  name: "Casey",
  ...more,
});

const CONTACT = {
  phone: "+44 (0)117 496 0123",
  company: "Casey & Co",
  accepts_marketing: true,
  metadata: { source: "fair", stand: "B 12" },
};
const NOTHING = { phone: null, company: null, accepts_marketing: false, metadata: {} };

const signUp = async (more: object) => call("POST /auth/signup", { body: aSignup(more) });
const profile = async (as: string) => (await call("GET /account/profile", { as })).body.data;
const change = (as: string, body: unknown) => call("PUT /account/profile", { as, body });

it("stores contact data at sign-up, and shows it in the profile and to administrators", async () => {
  const { body } = await signUp(CONTACT);
  expect(await profile(body.data.token)).toMatchObject(CONTACT);
  const admin = await aUser({ role: "admin" });
  const shown = await call(`GET /admin/users/${body.data.user.id}`, { as: admin.token });
  expect(shown.body.data).toMatchObject(CONTACT);
  const listed = await call("GET /admin/users?search=contact-", { as: admin.token });
  expect(listed.body.data[0]).toMatchObject(CONTACT);
});

it("requires none of it", async () => {
  expect(await profile((await signUp({})).body.data.token)).toMatchObject(NOTHING);
  expect(await profile((await signUp({ phone: null, company: null })).body.data.token)).toMatchObject(NOTHING);
});

it("is changed by its owner field by field, without a password, and cleared with null", async () => {
  const { token } = (await signUp(CONTACT)).body.data;
  expect((await change(token, { phone: "0117 496 0199" })).body.data).toMatchObject({
    ...CONTACT,
    phone: "0117 496 0199",
  });
  const emptied = await change(token, NOTHING);
  expect([emptied.status, await profile(token)]).toEqual([200, emptied.body.data]);
  expect(emptied.body.data).toMatchObject(NOTHING);
});

it("is changed by administrators and keys, and recorded in the audit log", async () => {
  const [{ id }, { key }, admin] = [await aUser(), await aKey(), await aUser({ role: "admin" })];
  expect((await call(`PUT /admin/users/${id}`, { as: key, body: CONTACT })).body.data).toMatchObject(CONTACT);
  const log = await call(`GET /admin/audit-log?subject=user&subject_id=${id}`, { as: admin.token });
  expect(log.body.data[0]).toMatchObject({ action: "user.update", before: NOTHING, after: CONTACT });
});

it("is in the audit log when a key signs somebody up", async () => {
  const [{ key }, admin] = [await aKey(), await aUser({ role: "admin" })];
  const { data } = (await call("POST /auth/signup", { as: key, body: aSignup(CONTACT) })).body;
  const log = await call(`GET /admin/audit-log?subject=user&subject_id=${data.user.id}`, { as: admin.token });
  expect(log.body.data[0]).toMatchObject({ action: "user.create", after: CONTACT });
});

it.each(["+1 415 555 0132", "(415) 555-0132", "020 7946 0958", "+49/30/901820", "112 33"])(
  "accepts %s as a phone number",
  async (phone) => {
    expect((await change((await aUser()).token, { phone })).body.data.phone).toBe(phone);
  },
);

it.each<[field: string, value: unknown]>([
  ["phone", "call me"],
  ["phone", "1234"],
  ["phone", "+1234567890123456"],
  ["phone", "+44\u0000117 496 0123"],
  ["phone", "+44 117\n496 0123"],
  ["phone", 441174960123],
  ["company", ""],
  ["company", "x".repeat(201)],
  ["company", "Casey\u0007Co"],
  ["accepts_marketing", "true"],
  ["metadata", "fair"],
  ["metadata", { source: 1 }],
  ["metadata", { source: "x".repeat(1001) }],
  ["metadata", { source: "\ud83d" }],
  ["metadata", { "\ud83d": "fair" }],
  ["metadata", { "": "fair" }],
  ["metadata", Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`entry-${n}`, ""]))],
])("refuses %s %j, at sign-up and in the profile", async (field, value) => {
  const { token } = await aUser();
  for (const answer of [await signUp({ [field]: value }), await change(token, { [field]: value })]) {
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.errors)[0]?.split(".")[0]).toBe(field);
  }
  expect(await profile(token)).toMatchObject(NOTHING);
});
