import { DurableObject } from "cloudflare:workers";
import { Hono } from "hono";
import { type RecordedOrder, recordedOrder, statementsOfOrder } from "./floor-order.ts";
import { createRows, statementsOf } from "./floor-rows.ts";

// The minimum that the platform allows, as the baseline for each response of the shop.

type Bindings = { DB: D1Database; ROWS: D1Database; COUNTER: DurableObjectNamespace<Counter> };

export class Counter extends DurableObject {
  #calls = 0;

  count(): { calls: number } {
    return { calls: ++this.#calls };
  }
}

const JSON_TYPE = { "Content-Type": "application/json" };

const PRODUCT = "SELECT * FROM products WHERE id = ?";
const PRODUCT_PAGE = "SELECT * FROM products WHERE status = 'active' ORDER BY id DESC LIMIT 20 OFFSET ?";
const CATEGORY = `SELECT products.* FROM category_products JOIN products USING (id)
  WHERE category_products.category_id = ? AND category_products.status = 'active'
  ORDER BY category_products.id DESC LIMIT 20 OFFSET ?`;
const SEARCH = `SELECT * FROM products WHERE id IN (
  SELECT rowid FROM products_search WHERE products_search MATCH ? ORDER BY rowid DESC LIMIT 20) ORDER BY id DESC`;

/** A JSON string as long as the response it stands for. */
const filler = (bytes = "2"): string => `"${"x".repeat(Number(bytes) - 2)}"`;

/** The statements that `/order` repeats. */
let recorded: RecordedOrder | undefined;

export const app = new Hono<{ Bindings: Bindings }>()
  .get("/hono", (c) => c.body(filler(c.req.query("bytes")), 200, JSON_TYPE))
  .get("/do", async (c) => {
    await c.env.COUNTER.getByName(c.req.query("name") ?? "").count();
    return c.body(filler(c.req.query("bytes")), 200, JSON_TYPE);
  })
  .get("/d1", async (c) => c.json(await c.env.DB.prepare("SELECT * FROM products WHERE id = ?").bind(1).first()))
  .get("/product", async (c) => c.json(await c.env.DB.prepare(PRODUCT).bind(c.req.query("id")).first()))
  .get("/list", async (c) => {
    const { page, category } = c.req.query();
    const skipped = (Number(page) - 1) * 20;
    const rows = category
      ? c.env.DB.prepare(CATEGORY).bind(category, skipped)
      : c.env.DB.prepare(PRODUCT_PAGE).bind(skipped);
    return c.json((await rows.all()).results);
  })
  .get("/search", async (c) => c.json((await c.env.DB.prepare(SEARCH).bind(c.req.query("match")).all()).results))
  .post("/tables", async (c) => {
    await c.env.ROWS.exec(createRows);
    return c.json("ready");
  })
  .post("/batch", async (c) => {
    const { statements, rows } = c.req.query();
    const results = await c.env.ROWS.batch(statementsOf(c.env.ROWS, Number(statements), Number(rows)));
    return c.json(results.at(-1)?.results, 201);
  })
  .post("/recorded-order", async (c) => {
    recorded = recordedOrder(await c.req.json());
    return c.json("ready");
  })
  .post("/order", async (c) => {
    if (!recorded) throw new Error("No order was recorded");
    await c.req.json();
    const results = await c.env.DB.batch(statementsOfOrder(c.env.DB, recorded, Number(c.req.query("user"))));
    return c.json(results.at(-1)?.results, 201);
  });

export default { fetch: app.fetch };
