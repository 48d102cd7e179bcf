import { expect, it } from "vitest";
import { administration } from "../support/administration.ts";
import { call } from "../support/call.ts";
import { aCheckedImport, anImport, failuresOf, jobOf, runJob } from "../support/jobs.ts";
import { aUser } from "../support/shop.ts";

const { ask } = administration();

const accountsCalled = async (search: string) =>
  (await ask(`GET /admin/users?search=${encodeURIComponent(search)}`)).body.data;

it("creates accounts without a password or verified address, updates customers, and skips staff", async () => {
  const customer = await aUser({ name: "Known Customer" });
  const staff = await aUser({ name: "Known Viewer", role: "viewer" });
  const { body } = await ask(`GET /admin/users/${customer.id}`);
  const { body: viewer } = await ask(`GET /admin/users/${staff.id}`);
  const csv = [
    "email,name,company,accepts_marketing,role",
    "New.One@shop.test,New One,,yes,",
    `${body.data.email},Known Customer,Plume Ltd,,customer`,
    `${viewer.data.email},Renamed,,,`,
    "boss@shop.test,Boss,,,admin",
    "nobody,Nobody,,,",
  ].join("\r\n");
  const done = await anImport(csv, { resource: "customers", name: "customers.csv" });
  expect(done).toMatchObject({ state: "completed", to_create: 1, to_update: 1, failed: 3 });
  expect(await failuresOf(done.job_id)).toMatchObject([
    { line: 4, field: "email", code: "email_taken" },
    { line: 5, field: "role", code: "invalid_value" },
    { line: 6, field: "email", code: "invalid_format" },
  ]);
  expect(await accountsCalled("New One")).toMatchObject([
    { email: "new.one@shop.test", role: "customer", accepts_marketing: true, email_verified_at: null },
  ]);
  expect(await accountsCalled("Known Customer")).toMatchObject([{ company: "Plume Ltd" }]);
  expect(await accountsCalled("Renamed")).toEqual([]);
  expect(await accountsCalled("Boss")).toEqual([]);
  const login = await call("POST /auth/login", { body: { email: "new.one@shop.test", password: "" } });
  expect(login.status).toBe(400);

  const undo = await ask(`POST /admin/jobs/${done.job_id}/undo`, {});
  await runJob(undo.body.data.id);
  expect(await jobOf(undo.body.data.id)).toMatchObject({ state: "completed", done: 2, failed: 0 });
  expect(await accountsCalled("New One")).toEqual([]);
  expect(await accountsCalled("Known Customer")).toMatchObject([{ company: null }]);
});

it("clears optional fields with an empty cell, and ignores missing columns", async () => {
  const imported = (csv: string) => anImport(csv, { resource: "customers" });
  const whole = { company: "Plume Ltd", phone: "+44 20 7946 0018", tax_exempt_reason: "Charity" };
  await imported(
    `email,name,${Object.keys(whole)},tags\ncleared@shop.test,Cleared Account,${Object.values(whole)},Club\n`,
  );
  expect(await accountsCalled("Cleared Account")).toMatchObject([{ ...whole, tags: ["Club"] }]);
  await imported(`email,${Object.keys(whole)},tags\ncleared@shop.test,,,,\n`);
  const empty = { company: null, phone: null, tax_exempt_reason: null, tags: [] };
  expect(await accountsCalled("Cleared Account")).toMatchObject([empty]);
});

it("keeps an account that was used since", async () => {
  const done = await anImport('{"email":"used@shop.test","name":"Used Account"}\n', { resource: "customers" });
  const [{ id }] = await accountsCalled("Used Account");
  await ask(`POST /admin/users/${id}/credit`, { amount: 5, reason: "Welcome" });
  const undo = await ask(`POST /admin/jobs/${done.job_id}/undo`, {});
  await runJob(undo.body.data.id);
  expect(await failuresOf(undo.body.data.id)).toMatchObject([{ subject_id: id, code: "changed_meanwhile" }]);
  expect(await accountsCalled("Used Account")).toHaveLength(1);
});

it("is hidden from users who may not see customers", async () => {
  const { check_job_id } = await aCheckedImport("email,name\nhidden@shop.test,Hidden\n", { resource: "customers" });
  const catalogue = (await aUser({ role: "catalogue" })).token;
  expect((await call(`GET /admin/jobs/${check_job_id}`, { as: catalogue })).status).toBe(404);
  const { body } = await call("GET /admin/jobs", { as: catalogue });
  expect(body.data.map(({ kind }: { kind: string }) => kind)).not.toContain("check_customers");
});

it("is not a file of products, in any format", async () => {
  for (const content of ["sku,name\nP-1,One\n", "Type,SKU,Name,Regular price\nsimple,P-1,One,5\n"]) {
    const { state, check_job_id } = await aCheckedImport(content, { resource: "customers" });
    expect(state).toBe("unreadable");
    expect(await failuresOf(check_job_id)).toMatchObject([{ line: 1, code: "invalid_format" }]);
  }
});
