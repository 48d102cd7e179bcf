import { describe, expect, it } from "vitest";
import { accountNow, anAccount, PASSWORD } from "../support/accounts.ts";
import { type Answer, call, callWith } from "../support/call.ts";
import { failuresOf, runJob } from "../support/jobs.ts";
import { aKey, aProduct, aUser, orderOf } from "../support/shop.ts";
import { aForm } from "../support/uploads.ts";

const DEPLOYED = { DEVELOPMENT: "false" };
const ask: typeof call = (line, options) => callWith(DEPLOYED, line, options);

const RESERVED = ["jo@shop.test", "jo@mail.example", "jo@erased.invalid", "jo@a.localhost", "jo@example.com"];
const SENTENCE = "belongs to a domain that is reserved for examples and tests";

const refusal = (field: string) => ({
  status: 400,
  body: { details: [{ field, code: "invalid" }], errors: { [field]: [SENTENCE] } },
});

let made = 0;
const ownable = () => `reader-${++made}@notexample.com`;

const signUp = (email: string) => ask("POST /auth/signup", { body: { email, name: "Jo", password: PASSWORD } });

const changeEmail = async (email: string) => {
  const { token: as } = await anAccount();
  return ask("PUT /account/profile", { as, body: { email, current_password: PASSWORD } });
};

const changeByStaff = async (email: string, more: object = {}) => {
  const [{ id }, { token: as }] = [await anAccount(), await aUser({ role: "admin" })];
  const answer = await ask(`PUT /admin/users/${id}`, { as, body: { email, ...more } });
  return { answer, id };
};

const guest = async (email: string) => ({ customer: { email, name: "Jo" }, payment_method: "paypal" });

const orderAsGuest = async (email: string) =>
  ask("POST /orders", { as: (await aKey()).key, body: orderOf(await aProduct(), 1, await guest(email)) });

const quoteAsGuest = async (email: string) => {
  const items = [{ product_id: (await aProduct()).id, quantity: 1 }];
  return ask("POST /checkout/quote", { as: (await aKey()).key, body: { items, ...(await guest(email)) } });
};

describe.each<[string, string, (email: string) => Promise<Answer>, number]>([
  ["a sign-up", "email", signUp, 201],
  ["a profile", "email", changeEmail, 200],
  ["staff who propose an address", "email", async (email) => (await changeByStaff(email)).answer, 200],
  [
    "an administrator who changes an address at once",
    "email",
    async (email) => (await changeByStaff(email, { email_change_reason: "Lost mailbox" })).answer,
    200,
  ],
  ["a guest's order", "customer.email", orderAsGuest, 201],
  ["a guest's quote", "customer.email", quoteAsGuest, 200],
])("a deployment refuses reserved domains to %s", (_, field, send, accepted) => {
  it.each(RESERVED)("such as %s", async (email) => expect(await send(email)).toMatchObject(refusal(field)));

  it("and takes others", async () => expect((await send(ownable())).status).toBe(accepted));
});

it("leaves an account as it was when its new address is refused", async () => {
  const { answer, id } = await changeByStaff("jo@shop.test", { email_change_reason: "Lost mailbox" });
  expect(answer.status).toBe(400);
  expect((await accountNow(id)).email).not.toBe("jo@shop.test");
});

it("accepts users who already have such an address, and lets them keep it", async () => {
  const { email } = await anAccount();
  const login = await ask("POST /auth/login", { body: { email, password: PASSWORD } });
  expect(login.status).toBe(200);
  const body = { email, current_password: PASSWORD, name: "Joanna" };
  expect((await ask("PUT /account/profile", { as: login.body.data.token, body })).status).toBe(200);
});

it("imports no new customer with such an address, and updates existing ones", async () => {
  const { token: as } = await aUser({ role: "admin" });
  const { id, email: present } = await anAccount();
  const other = ownable();
  const rows = [...RESERVED, other, present].map((email) => JSON.stringify({ email, name: "Imported" }));
  const form = aForm({}, { content: rows.join("\n"), name: "customers.ndjson" });
  const upload = (await ask("POST /admin/imports/customers", { as, body: form })).body.data;
  await runJob(upload.check_job_id, DEPLOYED);
  const checked = RESERVED.map((_, index) => ({ line: index + 1, field: "email", code: "invalid", message: SENTENCE }));
  expect(await failuresOf(upload.check_job_id, as)).toMatchObject(checked);
  const { job_id } = (await ask(`POST /admin/imports/customers/${upload.id}/start`, { as, body: {} })).body.data;
  await runJob(job_id, DEPLOYED);
  expect(await failuresOf(job_id, as)).toMatchObject(checked);
  const found = await call("GET /admin/users?search=Imported", { as });
  expect(found.body.data.map(({ email }: { email: string }) => email).sort()).toEqual([other, present].sort());
  expect((await accountNow(id)).name).toBe("Imported");
});

it("accepts such addresses in development", async () => {
  const body = { email: "developer@example.com", name: "Jo", password: PASSWORD };
  expect((await call("POST /auth/signup", { body })).status).toBe(201);
});
