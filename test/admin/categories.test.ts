import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { call, callWith } from "../support/call.ts";
import { interleaved } from "../support/faults.ts";
import { aRefusal } from "../support/refusal.ts";
import { aCategory, aUser } from "../support/shop.ts";

let as: string;

beforeAll(async () => {
  ({ token: as } = await aUser({ role: "admin", name: "Ada Admin" }));
});

const ask = (line: string, body?: unknown, headers: Record<string, string> = {}) => call(line, { as, body, headers });

/** The audit log of a category, newest first: what was done, and what it changed. */
async function logOf(id: number) {
  const { body } = await ask(`GET /admin/audit-log?subject=category&subject_id=${id}`);
  return body.data.map(({ action, before, after }: Record<string, unknown>) => [action, before, after]);
}

it("is created, edited and deleted, each with what it changed in the audit log", async () => {
  const { id } = (await ask("POST /admin/categories", { name: "Desk lamps" })).body.data;
  await ask(`PUT /admin/categories/${id}`, { name: "Lamps" });
  await ask(`PUT /admin/categories/${id}`, { name: "Lights", slug: "lights" });
  await ask(`DELETE /admin/categories/${id}`);
  expect(await logOf(id)).toEqual([
    ["category.delete", { name: "Lights", slug: "lights" }, null],
    ["category.update", { name: "Lamps", slug: "desk-lamps" }, { name: "Lights", slug: "lights" }],
    ["category.update", { name: "Desk lamps" }, { name: "Lamps" }],
    ["category.create", null, { name: "Desk lamps", slug: "desk-lamps" }],
  ]);
});

describe.each([
  ["PUT", { name: "Mine" }],
  ["DELETE", undefined],
])("%s /admin/categories/:id", (method, body) => {
  it("is refused where another version was seen, and changes nothing", async () => {
    const { id } = await aCategory(`Seen by ${method}`);
    const line = `/admin/categories/${id}`;
    const etag = String((await ask(`GET ${line}`)).headers.get("ETag"));
    await ask(`PUT ${line}`, { name: "Theirs" });
    expect((await ask(`${method} ${line}`, body, { "If-Match": etag })).status).toBe(412);
    expect((await ask(`GET ${line}`)).body.data.name).toBe("Theirs");
    expect(await logOf(id)).toHaveLength(1);
  });

  it("is refused when somebody else writes in the same instant, and changes nothing", async () => {
    const { id } = await aCategory(`Written by ${method}`);
    const line = `/admin/categories/${id}`;
    const DB = interleaved(env.DB, () => ask(`PUT ${line}`, { name: "Theirs" }));
    const refused = await callWith({ DB }, `${method} ${line}`, { as, body });
    expect(refused.status).toBe(409);
    expect(refused.body).toEqual(aRefusal("changed_meanwhile"));
    expect((await ask(`GET ${line}`)).body.data.name).toBe("Theirs");
    expect(await logOf(id)).toHaveLength(1);
  });
});
