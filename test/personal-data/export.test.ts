import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { hashRecoveryCode } from "../../src/accounts/users/two-factor/codes.ts";
import { noteInputs } from "../../src/panel/customers/inputs.ts";
import { auditLog, totpSecrets } from "../../src/platform/db/schema.ts";
import { anAccount, PASSWORD } from "../support/accounts.ts";
import { call, callWith } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { LICENSE } from "../support/license-keys.ts";
import { aFile, aPackage, aProduct, aUser, db, orderOf } from "../support/shop.ts";
import { anAccountWithFactor, RECOVERY_CODES, SECRET } from "../support/two-factor.ts";
import { aPerson } from "./person.ts";

it("gives a customer all data about them, and no secret", async () => {
  const [person, admin] = [await aPerson(), await aUser({ role: "admin" })];
  const product = await aProduct();
  await call(`POST /admin/users/${person.id}/credit`, { as: admin.token, body: { amount: 50, reason: "Welcome" } });
  const order = await call("POST /orders", { as: person.token, body: orderOf(product, 2) });
  await call("POST /cart", { as: person.token, body: { product_id: product.id, quantity: 3 } });
  const change = { password: "another password", current_password: PASSWORD };
  await call("PUT /account/profile", { as: person.token, body: change });
  await aPackage(person.id, [(await aFile({ name: "Notes" })).id]);
  const font = await aProduct({ type: "digital", name: "Sans", stock: null, price: 0, license: LICENSE });
  await call("POST /orders", { as: person.token, body: orderOf(font) });
  const [{ key: license_key }] = (await call("GET /account/license-keys", { as: person.token })).body.data;
  await call("POST /licenses/activate", { body: { license_key, instance_name: "Ada's Mac" } });

  const answer = await call("GET /account/export", { as: person.token });
  expect(answer.status).toBe(200);
  const { data } = answer.body;
  expect(data).toMatchObject({
    profile: { id: person.id, email: person.email, name: person.name, phone: "0117 496 0999" },
    sessions: [{ ended_at: null }],
    orders: [{ id: order.body.data.id, customer: { email: person.email }, total: 20 }, { total: 0 }],
    transactions: [{ amount: 50, note: "Welcome" }, { amount: -20 }],
    packages: [{ files: [{ name: "Notes" }] }],
    license_keys: [{ name: "Sans", instances: [{ name: "Ada's Mac" }] }],
    cart: [{ product_id: product.id, quantity: 3 }],
    emails: [
      { recipient: person.email, template: "email_verification" },
      { recipient: person.email, template: "password_changed" },
    ],
    audit_log: [{ action: "user.credit", by_yourself: false, address: null, after: { reason: "Welcome" } }],
  });
  expect(JSON.stringify(answer.body)).not.toMatch(/scrypt|password_?hash|sfr_|sealed|"token"|fingerprint/i);
});

it("shows customers the tags and notes of staff about them, without their authors, as the texts say", async () => {
  const [person, admin] = [await aPerson(), await aUser({ role: "admin", name: "Note Author" })];
  const as = admin.token;
  expect((await call(`PUT /admin/users/${person.id}`, { as, body: { tags: ["Slow payer"] } })).status).toBe(200);
  const noted = await call(`POST /admin/users/${person.id}/notes`, { as, body: { text: "Argues about fees" } });
  expect(noted.status).toBe(201);
  const { data } = (await call("GET /account/export", { as: person.token })).body;
  expect(data.tags).toEqual(["Slow payer"]);
  expect(data.notes).toEqual([{ text: "Argues about fees", created_at: expect.any(String) }]);
  expect(JSON.stringify(data)).not.toContain("Note Author");
  expect(noteInputs.text.hint).toContain("so does the customer in an export");
});

it("states when a second factor was enabled, and none of its secrets", async () => {
  const [one, other] = [await anAccountWithFactor(), await aPerson()];
  const answers = [
    await call("GET /account/export", { as: one.token }),
    await call("GET /account/export", { as: other.token }),
  ];
  const since = answers.map(({ body }) => body.data.two_factor_enabled_at);
  expect(since).toEqual([expect.stringMatching(/^2\d{3}-.*Z$/), null]);
  const [{ sealed } = { sealed: "" }] = await db.select().from(totpSecrets).where(eq(totpSecrets.userId, one.id));
  const told = JSON.stringify(answers[0]?.body);
  for (const secret of [sealed, SECRET, ...RECOVERY_CODES.map(hashRecoveryCode)]) expect(told).not.toContain(secret);
});

it("contains nothing about others", async () => {
  const [one, other] = [await aPerson(), await aPerson()];
  const { body } = await call("GET /account/export", { as: one.token });
  expect(JSON.stringify(body)).not.toContain(other.surname);
});

it("takes one round trip, also for an administrator, whose audit entries contain no byte of others", async () => {
  const [person, admin] = [await aPerson(), await aUser({ role: "admin" })];
  const { bindings, trips } = counted();
  const exported = await callWith(bindings, `GET /admin/users/${person.id}/export`, { as: admin.token });
  expect(exported.body.data.profile.email).toBe(person.email);
  expect(trips.d1).toBe(1);
  const entries = await db
    .select()
    .from(auditLog)
    .where(eq(auditLog.actor, `user:${admin.id}`));
  expect(entries).toMatchObject([{ action: "user.export", subjectId: person.id, before: null, after: null }]);
});

it("shows staff their own changes, and their origin", async () => {
  const staff = await anAccount({ role: "admin" });
  const { id } = await aProduct();
  await call(`PUT /admin/products/${id}`, { as: staff.token, body: { name: "Renamed" } });
  const { data } = (await call("GET /account/export", { as: staff.token })).body;
  expect(data.audit_log).toMatchObject([{ action: "product.update", subject_id: id, by_yourself: true }]);
  expect(data.audit_log[0].address).toEqual(expect.any(String));
});

it("shows former staff nothing about the customers whose records they changed", async () => {
  const [staff, admin, person] = [
    await anAccount({ role: "support" }),
    await aUser({ role: "admin" }),
    await aPerson(),
  ];
  await call(`PUT /admin/users/${person.id}`, { as: staff.token, body: { email: "other@persons.test" } });
  await call(`PUT /admin/users/${staff.id}`, { as: admin.token, body: { role: "customer" } });
  const { data } = (await call("GET /account/export", { as: staff.token })).body;
  expect(data.audit_log).toMatchObject([
    { action: "user.update", subject_id: person.id, before: null, after: null },
    { action: "user.update", subject_id: staff.id, before: { role: "support" }, after: { role: "customer" } },
  ]);
  expect(JSON.stringify(data)).not.toMatch(new RegExp(`${person.email}|other@persons.test`));
});
