import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { EventType } from "../../src/domain/event-types.ts";
import { deleteOldEvents, EVENT_RETENTION_MS, SCANNED_AT_ONCE } from "../../src/integrations/events/events.ts";
import { administration } from "../support/administration.ts";
import { call, callWith } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { placeOrder } from "../support/orders.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aFile, aKey, aProduct, aUser, db } from "../support/shop.ts";

type Listed = { id: number; type: EventType; subject: string };

const { admin } = administration();

/** The id of the newest event. */
const newest = async () => (await env.DB.prepare("SELECT max(id) AS id FROM events").first<number>("id")) ?? 0;

const feed = (parameters: Record<string, unknown> = {}, as = admin.token) =>
  call(
    `GET /admin/events?${new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]))}`,
    { as },
  );

const next = (answer: { headers: Headers }) =>
  /after_id=(\d+)[^>]*>; rel="next"/.exec(answer.headers.get("Link") ?? "")?.[1];

/** Reads to the end, page by page. */
async function all(parameters: { after_id?: number; [name: string]: unknown }, as = admin.token): Promise<Listed[]> {
  const read: Listed[] = [];
  let cursor: string | undefined = String(parameters.after_id ?? 0);
  while (cursor !== undefined) {
    const page = await feed({ ...parameters, after_id: cursor }, as);
    expect(page.status, JSON.stringify(page.body)).toBe(200);
    read.push(...page.body.data);
    cursor = next(page);
  }
  return read;
}

/** Events of one type about a subject, by default product 1. */
const addEvents = (count: number, type: EventType, { at = Date.now(), subject = "product:1" } = {}) =>
  env.DB.prepare(
    `INSERT INTO events (type, subject, created_at, data)
     WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?1)
     SELECT ?2, ?3, ?4, '{}' FROM n`,
  )
    .bind(count, type, subject, at)
    .run();

describe("the feed", () => {
  it("has the cursor of the newest event, from which a reader of the lists can follow", async () => {
    await placeOrder();
    const { headers } = await feed({ per_page: 1, type: "product.deleted" });
    const last = /after_id=(\d+)[^>]*>; rel="last"/.exec(headers.get("Link") ?? "")?.[1];
    expect(Number(last)).toBe(await newest());
    const { id } = await aProduct();
    expect(await all({ after_id: Number(last) })).toMatchObject([
      { type: "product.created", subject: `product:${id}` },
    ]);
  });

  it("returns events in order, page by page, from the cursor on", async () => {
    const after_id = await newest();
    const { id, user } = await placeOrder();
    const events = await all({ after_id, per_page: 1 });
    expect(events.map(({ type, subject }) => `${type} ${subject}`)).toEqual([
      `user.created user:${user.id}`,
      expect.stringMatching(/^product\.created /),
      `order.created order:${id}`,
      `order.paid order:${id}`,
    ]);
    expect(events.map((event) => event.id)).toEqual(events.map((_, place) => after_id + place + 1));
    expect(events).toEqual(await all({ after_id, per_page: 100 }));
  });

  it("begins with the oldest event, and ends without a link", async () => {
    const first = await feed({ per_page: 1 });
    expect(first.body.data).toHaveLength(1);
    expect(next(first)).toBe(String(first.body.data[0].id));
    const end = await feed({ after_id: await newest() });
    expect(end.body).toMatchObject({ data: [], pagination: { total_items: 0, total_items_exact: true } });
    expect(next(end)).toBeUndefined();
  });

  it("is filtered by type and by subject", async () => {
    const after_id = await newest();
    const [{ id }] = [await placeOrder(), await placeOrder()];
    expect(await all({ after_id, type: "order.paid" })).toHaveLength(2);
    expect(await all({ after_id, type: "order.paid,user.created" })).toHaveLength(4);
    expect(await all({ after_id, type: "order.*" })).toHaveLength(4);
    expect(await all({ after_id, type: "order.*,order.paid,user.created" })).toHaveLength(6);
    expect(await all({ after_id, type: "*" })).toEqual(await all({ after_id }));
    const ofOrder = await all({ subject: `order:${id}`, per_page: 1 });
    expect(ofOrder.map(({ type }) => type)).toEqual(["order.created", "order.paid"]);
    expect(await all({ after_id, subject: `order:${id}`, type: "order.paid" })).toHaveLength(1);
  });

  it("refuses unknown parameters, naming the field", async () => {
    for (const [parameters, field] of [
      [{ type: "order.paid,order.lost" }, "type"],
      [{ type: "lost.*" }, "type"],
      [{ type: "" }, "type"],
      [{ subject: "order" }, "subject"],
      [{ subject: "order:x" }, "subject"],
      [{ after_id: -1 }, "after_id"],
      [{ per_page: 101 }, "per_page"],
      [{ page: 2 }, "page"],
    ] as const) {
      const { status, body } = await feed(parameters);
      expect([parameters, status, Object.keys(body.errors)]).toEqual([parameters, 400, [field]]);
    }
  });

  it("scans a limited number of events at once, and returns its position, however rare a type is", async () => {
    const after_id = await newest();
    await addEvents(SCANNED_AT_ONCE + 10, "product.updated");
    const { id } = await placeOrder();
    const rare = { after_id, type: "order.paid" };
    const first = await feed(rare);
    expect(first.body.data).toEqual([]);
    expect(next(first)).toBe(String(after_id + SCANNED_AT_ONCE));
    expect((await all(rare)).map(({ subject }) => subject)).toEqual([`order:${id}`]);
    const { bindings, trips, work } = counted();
    await callWith(bindings, `GET /admin/events?after_id=${after_id}&type=order.paid`, { as: admin.token });
    expect(trips.d1).toBe(1);
    expect(work.rowsRead).toBeLessThanOrEqual(5 * SCANNED_AT_ONCE);
  });

  it("finds the few events of a subject among many without scanning them", async () => {
    const { id } = await placeOrder();
    await addEvents(SCANNED_AT_ONCE * 2, "product.updated");
    const { bindings, work } = counted();
    const { body } = await callWith(bindings, `GET /admin/events?subject=order:${id}`, { as: admin.token });
    expect(body.data).toHaveLength(2);
    expect(body.pagination).toMatchObject({ total_items: 2, total_items_exact: true });
    expect(work.rowsRead).toBeLessThanOrEqual(60);
  });
});

describe("a consumer", () => {
  it("gets the types whose resource it may read, and nothing about staff", async () => {
    const after_id = await newest();
    const { id } = await placeOrder();
    await aFile();
    await aUser({ role: "support" });
    const nouns = async (permissions: string[]) => {
      const events = await all({ after_id }, (await aKey({ permissions: ["events:read", ...permissions] })).key);
      return new Set(events.map(({ subject }) => subject.split(":")[0]));
    };
    expect(await nouns([])).toEqual(new Set());
    expect(await nouns(["orders:read"])).toEqual(new Set(["order"]));
    expect(await nouns(["products:read", "files:read"])).toEqual(new Set());
    expect(await nouns(["products:read_all", "files:read_all"])).toEqual(new Set(["product", "file"]));
    const everything = await all({ after_id }, (await aKey({ permissions: ["read"] })).key);
    expect(everything.map(({ subject }) => subject)).toContain(`order:${id}`);
    expect(everything.filter(({ subject }) => subject.startsWith("user:"))).toHaveLength(1);
    expect(everything.filter(({ type }) => type.startsWith("api_key."))).toEqual([]);
    const ofAdmin = await all({ after_id });
    expect(ofAdmin.filter(({ type }) => type === "user.created")).toHaveLength(2);
    expect(ofAdmin.filter(({ type }) => type === "api_key.created").length).toBeGreaterThan(0);
  });

  it("is refused types of which it may read none, with the permission that it lacks", async () => {
    const after_id = await newest();
    await placeOrder();
    const { key } = await aKey({ permissions: ["events:read", "products:read_all"] });
    for (const type of ["order.paid", "order.paid,shipment.created", "order.*"]) {
      const answer = await feed({ type }, key);
      expectRefusal(answer, 403);
      expect(answer.body).toMatchObject({
        code: "insufficient_scope",
        message: expect.stringContaining("orders:read"),
      });
    }
    expect((await feed({ type: "api_key.*" }, key)).body.code).toBe("administrators_only");
    for (const type of ["order.paid,product.created", "*"]) expect(await all({ after_id, type }, key)).toHaveLength(1);
  });
});

describe("events", () => {
  it("are deleted after thirty days, and an older cursor is refused instead of skipping them", async () => {
    const last = await newest();
    await addEvents(3, "product.updated", { at: Date.now() - EVENT_RETENTION_MS - 1000 });
    await addEvents(2, "product.updated");
    await env.DB.prepare("DELETE FROM events WHERE id <= ?").bind(last).run();
    await deleteOldEvents(db, Date.now());
    expect((await all({})).map(({ id }) => id)).toEqual([last + 4, last + 5]);
    expect(await all({ after_id: last + 3 })).toHaveLength(2);
    const { status, body } = await feed({ after_id: last + 2 });
    expect([status, body.code, body.details]).toEqual([
      400,
      "cursor_expired",
      [{ field: "after_id", code: "cursor_expired", oldest_id: last + 4 }],
    ]);
  });

  it("keep the newest, however old it is, so that no id is reused", async () => {
    await addEvents(3, "product.updated", { at: 1 });
    const last = await newest();
    await deleteOldEvents(db, Date.now());
    expect(await newest()).toBe(last);
    await expect(env.DB.prepare("DELETE FROM events").run()).rejects.toThrow("newest_event_stays");
    await addEvents(1, "product.updated");
    expect(await newest()).toBe(last + 1);
  });

  it("never change", async () => {
    await addEvents(1, "product.updated");
    await expect(env.DB.prepare("UPDATE events SET created_at = 1").run()).rejects.toThrow("events_are_append_only");
  });
});
