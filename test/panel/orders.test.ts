import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { expireOrders } from "../../src/checkout/orders/change.ts";
import { orderStatuses, users } from "../../src/platform/db/schema.ts";
import { anAdministrator as anApiUser, placed } from "../admin/orders/support.ts";
import { call } from "../support/call.ts";
import { shared } from "../support/callers.ts";
import { outlive } from "../support/orders.ts";
import { anAdministrator, type Page } from "../support/panel.ts";
import { aDiscount, aRate, aShippingMethod, aZone, noRules, settleShop } from "../support/pricing.ts";
import { ADDRESS, aProduct, aUser, db, onPurpose, orderOf } from "../support/shop.ts";

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

beforeEach(noRules);

const textOf = (html = "") =>
  html
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

/** A paid order's page in the panel, and the sales page. */
async function pages(more: object = {}, taxExemptReason: string | null = null) {
  const buyer = await aUser({ wallet: 100_000 });
  await db.update(users).set({ taxExemptReason }).where(eq(users.id, buyer.id));
  const body = { ...orderOf(await aProduct({ price: 11_900 })), ...more };
  const { id } = (await call("POST /orders", { as: buyer.token, body })).body.data;
  const admin = await anAdministrator();
  return {
    show: async () => {
      const { html } = await admin.get(`/admin/orders/${id}`);
      const total = html.split('<dl class="total">')[1]?.split("</dl>")[0];
      const line = html.split('aria-label="Items"')[1]?.split("</table>")[0]?.split("</small>").slice(1).join("");
      return { total: textOf(total), line: textOf(line) };
    },
    sales: async () => textOf((await admin.get("/admin/sales")).html.split('<dl class="facts">')[1]?.split("</dl>")[0]),
    refund: async () => {
      const as = (await aUser({ role: "admin" })).token;
      await call(`POST /admin/orders/${id}/refunds`, { as, body: { amount: 119 } });
    },
  };
}

it("shows only the total of an order without shipping, tax and discounts", async () => {
  const { show, refund } = await pages();
  expect(await show()).toEqual({ total: "Total $119.00", line: "$119.00 × 1 $119.00" });
  await refund();
  expect((await show()).total).toBe("Total $119.00 Refunded -$119.00 Total after refunds $0.00");
});

it("shows the parts of a total, with included tax and refunds", async () => {
  await settleShop({ homeCountry: "DE", pricesIncludeTax: true });
  await aShippingMethod({ zoneId: (await aZone({ restOfWorld: true })).id, name: "Post", price: 490 });
  await aRate({ name: "MwSt.", rate: 190_000 });
  const { code } = await aDiscount({ name: "Spring", percent: 100_000 });
  const { show, sales } = await pages({ discount_codes: [code] });
  expect(await show()).toEqual({
    total: `Subtotal before discounts $119.00 Spring (${code}) -$11.90 Shipping: Post $4.90 Total $112.00 Includes MwSt. 19 % $17.88`,
    line: "$119.00 × 1 -$11.90 $107.10 includes tax of $17.10",
  });
  expect(await sales()).toMatch(/Shipping \$4\.12 Tax \$17\.88 .*Discounts given \$11\.90/);
});

it("shows tax added on top, and the reason for an exemption", async () => {
  await settleShop({ homeCountry: "DE", pricesIncludeTax: false });
  await aRate({ name: "MwSt.", rate: 190_000 });
  expect((await (await pages()).show()).total).toBe("Subtotal $119.00 MwSt. 19 % $22.61 Total $141.61");
  const exempt = await pages({}, "Embassy <1>");
  expect((await exempt.show()).total).toBe("Total $119.00 Exempt from tax Embassy &lt;1&gt;");
});

const anAdmin = shared(() => anAdministrator());
const anApi = shared(() => anApiUser());

const download = { type: "digital", requiresShipping: false } as const;

type Api = Awaited<ReturnType<typeof anApiUser>>;

async function expired(): Promise<{ id: number }> {
  const order = await placed({ method: "paypal" });
  await outlive(order.id);
  await expireOrders(db, Date.now());
  return order;
}

const actions = ["address", "payment", "completion", "cancellation", "shipping", "refund"] as const;
type Action = (typeof actions)[number];

/** The states that the rules distinguish, each with a new order and its available actions. */
const states: Record<string, { anOrder: (api: Api) => Promise<{ id: number }>; open: Action[]; onPage?: Action[] }> = {
  pending: { anOrder: () => placed({ method: "paypal" }), open: ["address", "payment", "cancellation"] },
  "pending, with nothing to send": {
    anOrder: () => placed({ method: "paypal", ...download }),
    open: ["address", "payment", "completion", "cancellation"],
    // Marking the order as paid completes it.
    onPage: ["address", "payment", "cancellation"],
  },
  processing: { anOrder: () => placed(), open: ["address", "completion", "cancellation", "shipping", "refund"] },
  "processing, refunded in part": {
    anOrder: async (api) => {
      const order = await placed({ quantity: 2 });
      await api.refund(order.id, { items: [{ id: order.item, quantity: 1 }] });
      return order;
    },
    open: ["address", "completion", "cancellation", "shipping", "refund"],
  },
  "processing, sent in part": {
    anOrder: async (api) => {
      const order = await placed({ quantity: 2 });
      const items = [{ id: order.item, quantity: 1 }];
      await api.ask(`POST /admin/orders/${order.id}/shipments`, { items, carrier: "Post" });
      return order;
    },
    open: ["address", "completion", "shipping", "refund"],
  },
  shipped: {
    anOrder: async (api) => {
      const order = await placed();
      await api.ship(order.id);
      return order;
    },
    open: ["completion", "refund"],
  },
  completed: { anOrder: () => placed(download), open: ["refund"] },
  cancelled: {
    anOrder: async (api) => {
      const order = await placed();
      await api.change(order.id, { status: "cancelled" });
      return order;
    },
    open: [],
  },
  expired: { anOrder: expired, open: ["address", "payment"] },
  refunded: {
    anOrder: async (api) => {
      const order = await placed();
      await api.refund(order.id);
      return order;
    },
    open: [],
  },
};

const ELSEWHERE = { ...ADDRESS, city: "Bath" };

/** The status that results from an action. An order that already has it stays as it is, with status 200. */
const reached: Partial<Record<Action, string>> = {
  completion: "completed",
  cancellation: "cancelled",
  shipping: "shipped",
};

/** API request of each action. */
const asks: Record<Action, (api: Api, id: number) => Promise<{ status: number }>> = {
  address: (api, id) => api.change(id, { shipping_address: ELSEWHERE }),
  payment: (api, id) => api.change(id, { payment_status: "paid" }),
  completion: (api, id) => api.change(id, { status: "completed" }),
  cancellation: (api, id) => api.change(id, { status: "cancelled" }),
  shipping: (api, id) => api.ship(id),
  refund: (api, id) => api.refund(id),
};

/** Actions that have a form or button on the order's page. */
function offeredBy(page: Page, id: number): Action[] {
  const path = `/admin/orders/${id}`;
  const has = (action: string) => page.html.includes(`action="${path}/${action}"`);
  const offered: Record<Action, boolean> = {
    address: has("address"),
    payment: page.html.includes(">Mark paid<"),
    completion: has("move?to=completed"),
    cancellation: has("move?to=cancelled"),
    shipping: has("shipments"),
    refund: has("refund"),
  };
  return actions.filter((action) => offered[action]);
}

it("is tested in every status that an order can have", () => {
  const named = Object.keys(states).map((name) => name.split(",")[0]);
  expect(new Set(named)).toEqual(new Set(orderStatuses));
});

describe.each(Object.entries(states))("an order that is %s", (name, { anOrder, open, onPage = open }) => {
  const fields = Object.fromEntries(
    Object.entries(ELSEWHERE).map(([field, value]) => [`shipping_address.${field}`, value]),
  );
  /** Asking for the status that the order has changes nothing. */
  const isAccepted = (action: Action) => open.includes(action) || reached[action] === name;

  it("has exactly the available actions on its page, and refuses the others by the API and by the page's form", async () => {
    const [panel, api] = [await anAdmin(), await anApi()];
    const { id } = await anOrder(api);
    expect(offeredBy(await panel.get(`/admin/orders/${id}`), id)).toEqual(onPage);
    for (const action of actions.filter((each) => !isAccepted(each)))
      expect([action, (await asks[action](api, id)).status]).toEqual([action, 409]);
    const { status } = await panel.post(`/admin/orders/${id}/address`, fields);
    expect(status).toBe(open.includes("address") ? 303 : 409);
  });

  it.each(actions.filter(isAccepted))("accepts %s by the API", async (action) => {
    const api = await anApi();
    const { id } = await anOrder(api);
    expect((await asks[action](api, id)).status).toBe(200);
  });
});

it("names the items that a completed order leaves unshipped", async () => {
  const [panel, api] = [await anAdmin(), await anApi()];
  const { id, item } = await placed({ quantity: 3, name: "Brass Lamp" });
  const question = async () =>
    /Mark this order as completed\?<\/h2><p>(.+?)<\/p>/
      .exec((await panel.get(`/admin/orders/${id}`)).html)?.[1]
      ?.replaceAll(/<\/?bdi>/g, "");
  await api.ask(`POST /admin/orders/${id}/shipments`, { items: [{ id: item, quantity: 1 }], carrier: "Post" });
  expect(await question()).toBe("Not sent yet: 2 × Brass Lamp. Completing the order counts them as handed over.");
  await api.ask(`POST /admin/orders/${id}/shipments`, { items: [{ id: item, quantity: 2 }], carrier: "Post" });
  expect(await question()).toBe("Nothing remains to be sent.");
});
