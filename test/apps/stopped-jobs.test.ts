import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { runners } from "../../src/apps/job-steps.ts";
import { permissions } from "../../src/platform/auth/roles.ts";
import { runSlice } from "../../src/platform/jobs/run-slice.ts";
import { anAccount } from "../support/accounts.ts";
import { call } from "../support/call.ts";
import { aCheckedImport, jobOf, runJob } from "../support/jobs.ts";
import { aKey, aUser } from "../support/shop.ts";
import { giveFactor } from "../support/two-factor.ts";
import { watched } from "../support/watched.ts";

const { token: admin } = await aUser({ role: "admin" });

/** An import of 120 products, which takes two slices, started but not run. */
async function anImportJob(as: string) {
  const mark = crypto.randomUUID().slice(0, 8);
  const lines = Array.from({ length: 120 }, (_, at) =>
    JSON.stringify({ sku: `${mark}-${at}`, name: "Stopped", type: "physical", price: 1 }),
  );
  const { id } = await aCheckedImport(lines.join("\n"), { as, name: "stopped.ndjson" });
  const { status, body } = await call(`POST /admin/imports/products/${id}/start`, { as, body: {} });
  expect(status, JSON.stringify(body)).toBe(200);
  const written = async () =>
    await env.DB.prepare("SELECT count(*) AS n FROM products WHERE sku GLOB ?").bind(`${mark}-*`).first("n");
  return { job: body.data.job_id as number, written };
}

it("writes nothing of a slice amid which it is cancelled", async () => {
  const { job, written } = await anImportJob(admin);
  let cancelled = 0;
  const bindings = watched(env, async (storage, send, reads) => {
    if (storage === "d1" && !reads && cancelled === 0) {
      cancelled = (await call(`POST /admin/jobs/${job}/cancel`, { as: admin, body: {} })).status;
    }
    return send();
  });
  await runSlice(bindings, runners, job);
  expect(cancelled).toBe(200);
  await runJob(job);
  expect(await written()).toBe(0);
  expect(await jobOf(job, admin)).toMatchObject({ state: "cancelled", done: 0, failed: 0 });
});

const change = (id: number, body: object) => call(`PUT /admin/users/${id}`, { as: admin, body });
const staff = (role: "admin" | "catalogue") => anAccount({ role });
const key = async () => {
  const { id, key: token } = await aKey({ permissions });
  return { id, token };
};

it.each([
  ["its author is disabled", () => staff("catalogue"), (id: number) => change(id, { disabled: true })],
  ["its author becomes a customer", () => staff("catalogue"), (id: number) => change(id, { role: "customer" })],
  ["its author is no longer an administrator", () => staff("admin"), (id: number) => change(id, { role: "support" })],
  ["its API key is revoked", key, (id: number) => call(`DELETE /admin/api-keys/${id}`, { as: admin })],
])("stops when %s", async (_, anAuthor, end) => {
  const author = await anAuthor();
  const { job, written } = await anImportJob(author.token);
  await runSlice(env, runners, job);
  expect((await end(author.id)).status).toBeLessThan(300);
  await runJob(job);
  expect(await written()).toBe(100);
  expect(await jobOf(job, admin)).toMatchObject({ state: "cancelled", done: 100, finished_at: expect.any(String) });
});

it.each([
  ["its author edits their account", (id: number) => change(id, { name: "Another name" })],
  ["its author becomes an administrator", (id: number) => change(id, { role: "admin" })],
  [
    "its author's second factor is removed, because the account is not distrusted",
    (id: number) => call(`DELETE /admin/users/${id}/two-factor`, { as: admin }),
  ],
])("continues when %s", async (_, edit) => {
  const author = await staff("catalogue");
  await giveFactor(author.id);
  const { job, written } = await anImportJob(author.token);
  await runSlice(env, runners, job);
  expect((await edit(author.id)).status).toBeLessThan(300);
  await runJob(job);
  expect(await written()).toBe(120);
  expect(await jobOf(job, admin)).toMatchObject({ state: "completed", done: 120 });
});
