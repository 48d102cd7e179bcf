import { describe, expect, it } from "vitest";
import { administration } from "../support/administration.ts";
import { call } from "../support/call.ts";
import { runJob } from "../support/jobs.ts";
import { placeOrder } from "../support/orders.ts";
import { anAdministrator, fieldsOf } from "../support/panel.ts";
import { expectRefusal } from "../support/refusal.ts";
import { db } from "../support/shop.ts";

const { ask } = administration();

const tagged = async (tags: string[]) => {
  const order = await placeOrder();
  expect((await ask(`PUT /admin/orders/${order.id}`, { tags })).status).toBe(200);
  return order;
};

const found = async (query: string) =>
  (await ask(`GET /admin/orders?${query}`)).body.data.map(({ id }: { id: number }) => id);

const tagsOf = async (id: number) => (await ask(`GET /admin/orders/${id}`)).body.data.tags;

const listed = async (id: number) =>
  (await db.$client.prepare("SELECT count(*) AS rows FROM order_tags WHERE order_id = ?").bind(id).first("rows")) ?? 0;

describe("tags of orders", () => {
  it("are shown as first typed, and found in any spelling by filter and search, all requested ones at once", async () => {
    const first = await tagged(["Été", "Gift", "gift"]);
    expect(await tagsOf(first.id)).toEqual(["Été", "Gift"]);
    const second = await tagged(["gift", "Urgent"]);
    expect(await tagsOf(second.id)).toEqual(["Gift", "Urgent"]);
    expect(await found("tag=GIFT")).toEqual([second.id, first.id]);
    expect(await found("tag=gift&tag=ete")).toEqual([first.id]);
    expect(await found("tag=gift,urgent&sort=oldest")).toEqual([second.id]);
    expect(await found("search=urgent")).toEqual([second.id]);
    expect(await found("tag=unheard")).toEqual([]);
  });

  it("are staff's alone, audited, and unchanged by the same tags", async () => {
    const { id, user: buyer } = await tagged(["Watch"]);
    const own = await call(`GET /account/orders/${id}`, { as: buyer.token });
    expect(own.body.data.tags).toEqual([]);
    const { updated_at } = (await ask(`GET /admin/orders/${id}`)).body.data;
    const same = await ask(`PUT /admin/orders/${id}`, { tags: ["WATCH"] });
    expect(same.body.data).toMatchObject({ tags: ["Watch"], updated_at });
    const [entry] = (await ask(`GET /admin/audit-log?subject=order&subject_id=${id}`)).body.data;
    expect(entry).toMatchObject({ before: { tags: [] }, after: { tags: ["Watch"] } });
    expectRefusal(await ask(`PUT /admin/orders/${id}`, { tags: ["a,b"] }), 400, "tags.0");
    await ask(`PUT /admin/orders/${id}`, { tags: [] });
    expect([await tagsOf(id), await listed(id), await found("tag=watch")]).toEqual([[], 0, []]);
  });

  it("are added and removed for many orders at once", async () => {
    const [one, other] = [await tagged(["Old"]), await placeOrder()];
    const change = { add_tags: ["New"], remove_tags: ["old"] };
    const started = await ask("POST /admin/orders/bulk-actions", { ids: [one.id, other.id], change });
    await runJob(started.body.data.id);
    expect([await tagsOf(one.id), await tagsOf(other.id)]).toEqual([["New"], ["New"]]);
    expectRefusal(
      await ask("POST /admin/orders/bulk-actions", { ids: [one.id], change: { ...change, payment_status: "paid" } }),
      400,
      "change.status",
    );
  });

  it("are changed on the order's page, filter the list and are offered there", async () => {
    const { id, number } = await placeOrder();
    const administrator = await anAdministrator();
    const page = `/admin/orders/${id}`;
    const fields = fieldsOf(await administrator.get(page), `${page}/tags`);
    expect((await administrator.post(`${page}/tags`, { ...fields, tags: "Fragile, Blue" })).location).toBe(page);
    expect((await administrator.get(page)).html).toContain('href="/admin/orders?tag=Fragile"');
    const list = (await administrator.get("/admin/orders?tag=fragile")).html;
    expect(list).toContain(number);
    expect(list).toContain('<option value="Fragile"');
    expect(list).toContain("Fragile, Blue");
    const bulk = { ids: String(id), action: "untag", tags: "blue" };
    expect((await administrator.post("/admin/orders/bulk", bulk)).status).toBe(303);
  });
});
