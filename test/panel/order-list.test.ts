import { describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { anAdministrator } from "../support/panel.ts";
import { aProduct, aUser, onPurpose, orderOf } from "../support/shop.ts";

const panel = await anAdministrator();
const buyer = await aUser({ wallet: 100_000 });
const product = await aProduct({ stock: null });

async function anOrder() {
  const sent = { as: buyer.token, body: orderOf(product), headers: onPurpose() };
  const { status, body } = await call("POST /orders", sent);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
}

const list = async (filters: string) => (await panel.get(`/admin/orders${filters}`)).html;
const numbersIn = (html: string) => [...html.matchAll(/>(#\d+)<\/a>/g)].map(([, number]) => number);

describe("the list of orders", () => {
  it("has only orders that are to be sent under “To ship”", async () => {
    const [open, refunded, cancelled] = [await anOrder(), await anOrder(), await anOrder()];
    const refund = await call(`POST /admin/orders/${refunded.id}/refunds`, { as: panel.token, body: {} });
    expect([200, 201]).toContain(refund.status);
    const ended = { as: panel.token, body: { status: "cancelled" } };
    expect((await call(`PUT /admin/orders/${cancelled.id}`, ended)).status).toBe(200);
    const [, path = ""] = /<a href="([^"]+)">To ship<\/a>/.exec(await list("")) ?? [];
    const { html } = await panel.get(path.replaceAll("&amp;", "&"));
    expect(numbersIn(html)).toEqual([open.number]);
    expect(html).toMatch(/aria-current="page">To ship<\/a>/);
    expect(numbersIn(await list("?fulfillment_status=unfulfilled"))).toEqual([open.number]);
  });

  it("names each active filter", async () => {
    const html = await list("?status=shipped&payment_status=paid&fulfillment_status=fulfilled");
    for (const words of ["Status: shipped", "Payment: paid", "Fulfillment: fulfilled"])
      expect(html).toMatch(new RegExp(`<option [^>]*selected[^>]*>${words}</option>`));
  });

  it("says that nothing matches a search, instead of where orders come from", async () => {
    const html = await list("?search=nothing-like-this");
    expect(html).toContain("No matching orders");
    expect(html).not.toContain("Orders from customers appear here");
    expect(html).toContain('<a class="button quiet" href="/admin/orders">Show all</a>');
  });
});
