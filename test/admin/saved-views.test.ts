import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../src/domain/limits.ts";
import { savedViews } from "../../src/platform/db/schema.ts";
import { call } from "../support/call.ts";
import { anAdministrator, fieldsOf } from "../support/panel.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aProduct, aUser, db, orderOf } from "../support/shop.ts";

let me: { id: number; token: string };

beforeEach(async () => {
  me = await aUser({ role: "admin" });
});

const save = (body: object, as = me.token) => call("POST /admin/saved-views", { as, body });
const open = { list: "orders", name: "To ship", filters: { status: "processing", sort: "oldest" } };

describe("saved views", () => {
  it("are listed in order of saving, by list, and deleted", async () => {
    const { body } = await save(open);
    expect(body.data).toMatchObject(open);
    await save({ ...open, list: "products", filters: { status: "draft" } });
    const listed = await call("GET /admin/saved-views?list=orders", { as: me.token });
    expect(listed.body.data).toEqual([body.data]);
    expect((await call(`DELETE /admin/saved-views/${body.data.id}`, { as: me.token })).status).toBe(204);
    expect((await call("GET /admin/saved-views", { as: me.token })).body.pagination.total_items).toBe(1);
  });

  it("are private to each user", async () => {
    const { id } = (await save(open)).body.data;
    const { token } = await aUser({ role: "admin" });
    expect((await call("GET /admin/saved-views", { as: token })).body.data).toEqual([]);
    expectRefusal(await call(`DELETE /admin/saved-views/${id}`, { as: token }), 404);
    expect((await save(open, token)).status).toBe(201);
  });

  it.each([
    ["filters.status", { filters: { status: "lost" } }],
    ["filters.in_stock", { filters: { in_stock: "true" } }],
    ["filters.from", { filters: { from: "yesterday" } }],
    ["filters", { filters: {} }],
    ["filters", { filters: { status: "pending", page: "2" } }],
    ["filters", { filters: { after_id: "2" } }],
    ["filters.status", { filters: { status: 1 } }],
    ["name", { name: " " }],
    ["name", { name: "x".repeat(61) }],
    ["list", { list: "api_keys" }],
  ])("accept the filters of their list: a wrong %s is refused", async (field, wrong) => {
    expectRefusal(await save({ ...open, ...wrong }), 400, field);
    expect(await db.select().from(savedViews).where(eq(savedViews.userId, me.id))).toEqual([]);
  });

  it("have unique names, and are limited in number per list", async () => {
    for (let n = 0; n < limits.SAVED_VIEWS_PER_LIST; n++) await save({ ...open, name: `View ${n}` });
    expectRefusal(await save({ ...open, name: "One more" }), 409, "body", "too_many_saved_views");
    await db.delete(savedViews).where(eq(savedViews.name, "View 0"));
    expectRefusal(await save({ ...open, name: "View 1" }), 400, "name", "name_taken");
    expect((await save({ ...open, name: "View 1", list: "users", filters: { sort: "name" } })).status).toBe(201);
  });

  it("exist only for lists that their owner may read", async () => {
    const { token } = await aUser({ role: "catalogue" });
    expectRefusal(await save(open, token), 403, "authorization");
    expect((await save({ ...open, list: "files", filters: { access: "public" } }, token)).status).toBe(201);
  });
});

describe("in the panel", () => {
  it("orders have views without one being saved", async () => {
    await call("POST /orders", { as: (await aUser({ wallet: 10_000 })).token, body: orderOf(await aProduct()) });
    const { get } = await anAdministrator();
    const views = async (path: string) =>
      (await get(path)).html.split('aria-label="Views"')[1]?.split("</nav>")[0] ?? "";
    expect([...(await views("/admin/orders")).matchAll(/>([^<>]+)<\/a>/g)].map(([, name]) => name)).toEqual([
      "All",
      "To ship",
      "Unpaid",
      "On their way",
    ]);
    expect(await views("/admin/orders?status=processing")).toContain('aria-current="page">To ship</a>');
    expect((await get("/admin/orders?status=processing")).html).not.toMatch(/Save view|Delete view/);
  });

  it("a filtered list is saved, shown as a tab and deleted, without script", async () => {
    await aProduct({ status: "draft", name: "Unfinished" });
    const { get, post } = await anAdministrator();
    expect((await get("/admin/products")).html).not.toContain('aria-label="Views"');
    const page = await get("/admin/products?status=draft&sort=name&page=1&search=");
    const form = fieldsOf(page, "/admin/saved-views");
    expect(form).toMatchObject({ list: ["products"], filters: ["sort=name&status=draft"] });
    const saved = await post("/admin/saved-views", { ...form, name: "Unfinished ones" });
    expect(saved.location).toBe("/admin/products?sort=name&status=draft");
    const { html } = await get(String(saved.location));
    expect(html).toContain('aria-current="page">Unfinished ones</a>');
    expect(html).not.toContain("Save view");
    const [, action = ""] = /action="(\/admin\/saved-views\/\d+\/delete)"/.exec(html) ?? [];
    expect((await get(action.replace("/delete", ""))).location).toBe(saved.location);
    await post(action, {});
    expect((await get("/admin/products?status=draft")).html).not.toContain(">Unfinished ones</a>");
  });

  it("a name that is taken is asked for again", async () => {
    const { get, post } = await anAdministrator();
    const form = { list: "users", filters: "state=disabled", name: "Former" };
    await post("/admin/saved-views", form);
    const refused = await post("/admin/saved-views", form);
    expect(refused.status).toBe(400);
    expect(fieldsOf(refused, "/admin/saved-views")).toMatchObject({
      ...form,
      name: ["Former"],
      list: ["users"],
      filters: ["state=disabled"],
    });
    expect((await get("/admin/customers")).html).toContain('href="/admin/customers?state=disabled">Former</a>');
  });
});
