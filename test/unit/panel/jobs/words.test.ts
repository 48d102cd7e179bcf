import { expect, it } from "vitest";
import { jobTitle } from "../../../../src/panel/jobs/words.ts";

const price = { millionths: -100_000, compareAt: "keep", step: 1 };
const sent = { status: "shipped", shipment: { carrier: "Royal Mail" } };

it.each([
  ["change_products", { status: "draft" }, "Product changes: set draft"],
  ["change_products", { price, categoryId: null }, "Product changes: taken out of their category, price −10 %"],
  ["adjust_stock", { delta: 5, reason: "Delivery" }, "Stock adjustments: +5, Delivery"],
  ["adjust_stock", { quantity: 0, reason: "Lost" }, "Stock adjustments: set to 0, Lost"],
  ["change_orders", { change: { payment_status: "paid" } }, "Order changes: marked as paid"],
  ["change_orders", { change: sent }, "Order changes: marked as shipped with Royal Mail"],
  ["import_products", { mode: "update" }, "Product import"],
  [
    "change_customers",
    { addTags: ["VIP"], removeTags: ["Trade"] },
    "Customer changes: tagged VIP, without the tags Trade",
  ],
  ["change_products", "of another shape", "Product changes"],
] as const)("says what a job of the kind %s does: %j", (kind, parameters, title) => {
  expect(jobTitle({ kind, undoOf: null, parameters })).toBe(title);
});

it("names the job that another one undoes", () => {
  expect(jobTitle({ kind: "adjust_stock", undoOf: 7, parameters: { changes: [] } })).toBe("Undo: stock adjustments");
});
