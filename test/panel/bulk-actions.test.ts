import { describe, expect, it } from "vitest";
import { anAdministrator } from "../support/panel.ts";

const { post } = await anAdministrator();

describe("a refused change of rows that were selected", () => {
  it.each([
    ["orders", { action: "ship", carrier: "" }, "Carrier"],
    ["products", { action: "add", pieces: "many", "stock.reason": "Delivery" }, "Pieces"],
    ["products", { action: "count", pieces: "", "stock.reason": "Counted" }, "Pieces"],
    ["products", { action: "price", "change.price_percent": "none" }, "By percent"],
  ])("of %s links to the field and back to the list: %j", async (list, form, label) => {
    const { status, html } = await post(`/admin/${list}/bulk`, { ids: ["1", "2"], filters: "sort=id&q=a", ...form });
    expect(status).toBe(400);
    const [, id] = new RegExp(`<a href="#([^"]+)">${label}</a>: `).exec(html) ?? [];
    expect(html).toContain(` id="${id}"`);
    expect(html).toContain(`<a class="back" href="/admin/${list}?sort=id&amp;q=a">`);
  });
});
