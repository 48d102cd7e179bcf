import { describe, expect, it } from "vitest";
import { administration } from "../support/administration.ts";
import { call } from "../support/call.ts";
import { anImport, runJob } from "../support/jobs.ts";
import { anAdministrator, fieldsOf } from "../support/panel.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aUser, db } from "../support/shop.ts";

const { admin, ask } = administration();

let made = 0;
const added = async (tags: string[]) =>
  (await ask("POST /admin/users", { name: "Tagged", email: `tagged-${++made}@people.test`, tags })).body.data;

const found = async (query: string) => {
  const { status, body } = await ask(`GET /admin/users?${query}`);
  return [status, body.pagination?.total_items, body.data?.map(({ id }: { id: number }) => id)];
};

const tagsOf = async (id: number) => (await ask(`GET /admin/users/${id}`)).body.data.tags;

/** Tags whose customers or counts do not match the accounts. */
const wrongTags = () =>
  db.$client
    .prepare(
      `WITH plain AS (SELECT tags.id AS tag, users.id AS user FROM users, json_each(users.tags) JOIN tags ON tags.name = value
        WHERE role = 'customer')
      SELECT name FROM tags WHERE customers <> (SELECT count(*) FROM plain WHERE tag = tags.id)
        OR (SELECT json_group_array(user_id) FROM (SELECT user_id FROM customer_tags WHERE tag_id = tags.id ORDER BY 1))
          <> (SELECT json_group_array(user) FROM (SELECT user FROM plain WHERE tag = tags.id ORDER BY 1))`,
    )
    .all()
    .then(({ results }) => results);

describe("tags of customers", () => {
  it("are shown as first typed, and found in any spelling, all requested ones at once", async () => {
    const first = await added(["Été", "  VIP  ", "vip"]);
    expect(first.tags).toEqual(["Été", "VIP"]);
    const second = await added(["vip", "Trade"]);
    expect(second.tags).toEqual(["VIP", "Trade"]);
    expect(await found("tag=ete")).toEqual([200, 1, [first.id]]);
    expect(await found("tag=Vip")).toEqual([200, 2, [second.id, first.id]]);
    expect(await found("tag=vip&sort=oldest&per_page=1&page=2")).toEqual([200, 2, [second.id]]);
    expect(await found("tag=vip&tag=TRADE")).toEqual([200, 1, [second.id]]);
    expect(await found("tag=vip,%C3%A9t%C3%A9&sort=name")).toEqual([200, 1, [first.id]]);
    expect(await found("tag=unheard")).toEqual([200, 0, []]);
    expect(await found("tag=unheard,vip")).toEqual([200, 0, []]);
    expect(await found("tag=vip&state=active&min_orders=0&search=tagged")).toEqual([200, 2, [second.id, first.id]]);
    expect(await found("tag=vip&sort=-spent&min_orders=1")).toEqual([200, 0, []]);
    expect(await wrongTags()).toEqual([]);
  });

  it("are changed with an audit entry and one event, unless nothing changes", async () => {
    const { id, updated_at } = await added(["Press"]);
    const same = await ask(`PUT /admin/users/${id}`, { tags: ["PRESS"] });
    expect(same.body.data).toMatchObject({ tags: ["Press"], updated_at });
    const { body } = await ask(`PUT /admin/users/${id}`, { tags: ["Blog", "press"], company: "Plume Ltd" });
    expect(body.data.tags).toEqual(["Blog", "Press"]);
    const audit = await ask(`GET /admin/audit-log?subject=user&subject_id=${id}`);
    expect(audit.body.data[0]).toMatchObject({
      before: { tags: ["Press"], company: null },
      after: { tags: ["Blog", "Press"], company: "Plume Ltd" },
    });
    const events = await ask("GET /admin/events?type=user.updated&per_page=100");
    expect(events.body.data.filter(({ data }: { data: { user_id: number } }) => data.user_id === id)).toHaveLength(1);
    expect(await found("tag=blog")).toEqual([200, 1, [id]]);
  });

  it("are part of an export of personal data, and otherwise only for staff", async () => {
    const customer = await aUser();
    await ask(`PUT /admin/users/${customer.id}`, { tags: ["Slow to pay"] });
    const profile = await call("GET /account/profile", { as: customer.token });
    expect([profile.status, profile.body.data.tags]).toEqual([200, undefined]);
    expectRefusal(await call("PUT /account/profile", { as: customer.token, body: { tags: [] } }), 400, "tags");
    const { body } = await ask(`GET /admin/users/${customer.id}/export`);
    expect(body.data.tags).toEqual(["Slow to pay"]);
  });

  it("are in the lists of a customer who was staff, but not of current staff", async () => {
    const member = await aUser({ role: "viewer" });
    await ask(`PUT /admin/users/${member.id}`, { tags: ["Wholesale"] });
    expect(await found("tag=wholesale")).toEqual([200, 0, []]);
    await ask(`PUT /admin/users/${member.id}`, { role: "customer" });
    expect(await found("tag=wholesale")).toEqual([200, 1, [member.id]]);
    expect(await wrongTags()).toEqual([]);
  });

  it("are at most 50 short words without commas", async () => {
    const many = Array.from({ length: 51 }, (_, n) => `many-${n}`);
    const { id } = await added([]);
    expectRefusal(await ask(`PUT /admin/users/${id}`, { tags: many }), 400, "tags");
    expectRefusal(await ask(`PUT /admin/users/${id}`, { tags: ["x".repeat(51)] }), 400, "tags.0");
    expectRefusal(await ask(`PUT /admin/users/${id}`, { tags: ["a, b"] }), 400, "tags.0");
    expect((await ask(`PUT /admin/users/${id}`, { tags: many.slice(1) })).body.data.tags).toHaveLength(50);
  });

  it("are a column of exports, which an import reads again and an undo restores", async () => {
    const one = await added(["Fair", "Loyal"]);
    const two = await added(["fair"]);
    const csv = await ask("GET /admin/exports/customers/csv?tag=fair");
    expect(csv.body.split("\r\n").filter((line: string) => line.includes("Tagged"))).toMatchObject([
      expect.stringContaining('"Fair, Loyal"'),
      expect.stringContaining(",Fair,"),
    ]);
    const file = `email,name,tags\n${one.email},Tagged,"LOYAL, New"\n${two.email},Tagged,FAIR\nnew@fair.test,New,"new,Fair"\n`;
    const done = await anImport(file, { as: admin.token, resource: "customers", name: "customers.csv" });
    expect(done).toMatchObject({ state: "completed", to_create: 1, to_update: 1, failed: 0 });
    expect(await tagsOf(one.id)).toEqual(["Loyal", "New"]);
    const [, , ids] = await found("tag=fair&sort=oldest");
    expect([await found("tag=new"), ids]).toMatchObject([
      [200, 2, [expect.any(Number), one.id]],
      [two.id, done.id && expect.any(Number)],
    ]);
    const { body } = await ask(`POST /admin/jobs/${done.job_id}/undo`, {});
    await runJob(body.data.id);
    expect([await tagsOf(one.id), await found("tag=new")]).toEqual([
      ["Fair", "Loyal"],
      [200, 0, []],
    ]);
    expect(await wrongTags()).toEqual([]);
  });

  it("are added to and removed from many customers, and undone", async () => {
    const [one, two] = [await added(["Bulk A"]), await added([])];
    const act = async (body: object) => (await ask("POST /admin/users/bulk-actions", body)).body.data;
    const job = await act({ ids: [one.id, two.id, 999_999], change: { add_tags: ["bulk a", "Bulk B"] } });
    expect(job).toMatchObject({ kind: "change_customers", total: 3, done: 2, failed: 1, can_undo: true });
    expect([await tagsOf(one.id), await tagsOf(two.id)]).toEqual([
      ["Bulk A", "Bulk B"],
      ["Bulk A", "Bulk B"],
    ]);
    const removal = await act({ filters: { tag: "bulk b" }, change: { remove_tags: ["BULK A"] } });
    expect([removal.total, await tagsOf(one.id)]).toEqual([2, ["Bulk B"]]);
    for (const { id } of [removal, job]) {
      const { body } = await ask(`POST /admin/jobs/${id}/undo`, {});
      await runJob(body.data.id);
    }
    expect([await tagsOf(one.id), await tagsOf(two.id)]).toEqual([["Bulk A"], []]);
    expectRefusal(await ask("POST /admin/users/bulk-actions", { ids: [one.id], change: {} }), 400, "change");
    expect(await wrongTags()).toEqual([]);
  });

  it("are typed, shown and filtered in the panel", async () => {
    const { get, post } = await anAdministrator({ role: "support" });
    const typed = { ...fieldsOf(await get("/admin/customers/new"), "/admin/customers"), name: "Panel Person" };
    const { location } = await post("/admin/customers", { ...typed, email: "panel@tags.test", tags: "Panel, vip" });
    const shown = await get(location ?? "");
    expect(shown.html).toContain('<a href="/admin/customers?tag=Panel">Panel</a>');
    const form = fieldsOf(shown, location ?? "");
    expect(form.tags).toEqual(["Panel, VIP"]);
    await post(location ?? "", { ...form, tags: "Panel, Press" });
    const list = await get("/admin/customers?tag=panel");
    expect(list.html).toContain("Panel, Press");
    expect(list.html).toContain("1–1 of 1");
    const id = location?.split("/").at(-1) ?? "";
    const bulk = await post("/admin/customers/bulk", { ids: id, filters: "tag=panel", action: "untag", tags: "press" });
    expect([bulk.status, bulk.location]).toEqual([303, "/admin/customers?tag=panel"]);
    expect(await tagsOf(Number(id))).toEqual(["Panel"]);
    const wrong = await post("/admin/customers/bulk", { ids: id, filters: "", action: "tag", tags: "" });
    expect([wrong.status, wrong.html.includes(">Tags</a>: ")]).toEqual([400, true]);
  });
});
