import { expect, it } from "vitest";
import { scenarios } from "../faults/scenarios.ts";
import { call, callWith } from "../support/call.ts";
import { aUser, db } from "../support/shop.ts";

const newestUser = async () => (await db.$client.prepare("SELECT max(id) AS id FROM users").first<number>("id")) ?? 0;

it("refuses a stale save of an account whose address was verified since", async () => {
  const as = (await aUser({ role: "admin" })).token;
  const { line, body } = (await scenarios["POST /api/v1/user/auth/verify-email"]?.()) ?? { line: "" };
  const path = `/admin/users/${await newestUser()}`;
  const before = await call(`GET ${path}`, { as });
  const etag = before.headers.get("ETag") ?? "";
  expect((await callWith({}, line, { body })).status).toBe(200);
  const after = await call(`GET ${path}`, { as });
  expect(after.body.data.email_verified_at).not.toBe(before.body.data.email_verified_at);
  expect(after.headers.get("ETag")).not.toBe(etag);
  const stale = await call(`PUT ${path}`, { as, body: { company: "Stale" }, headers: { "If-Match": etag } });
  expect(stale.status).toBe(412);
});
