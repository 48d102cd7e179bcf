import { describe, expect, it } from "vitest";
import { orderStatuses } from "../../src/db/schema.ts";
import { expireOrders } from "../../src/orders/move-queries.ts";
import { anAdministrator as anApiUser, placed } from "../admin/orders/support.ts";
import { outlive } from "../support/orders.ts";
import { anAdministrator, fieldsOf, type Page } from "../support/panel.ts";
import { ADDRESS, db } from "../support/shop.ts";

const download = { type: "digital", requiresShipping: false } as const;

type Api = Awaited<ReturnType<typeof anApiUser>>;

async function expired(): Promise<{ id: number }> {
  const order = await placed({ method: "paypal" });
  await outlive(order.id);
  await expireOrders(db, Date.now());
  return order;
}

/** An order in each state that the rules tell apart, made anew each time. */
const states: Record<string, (api: Api) => Promise<{ id: number }>> = {
  pending: () => placed({ method: "paypal" }),
  "pending, with nothing to send": () => placed({ method: "paypal", ...download }),
  processing: () => placed(),
  "processing, refunded in part": async (api) => {
    const order = await placed({ quantity: 2 });
    await api.refund(order.id, { items: [{ id: order.item, quantity: 1 }] });
    return order;
  },
  shipped: async (api) => {
    const order = await placed();
    await api.ship(order.id);
    return order;
  },
  completed: () => placed(download),
  cancelled: async (api) => {
    const order = await placed();
    await api.change(order.id, { status: "cancelled" });
    return order;
  },
  expired,
  refunded: async (api) => {
    const order = await placed();
    await api.refund(order.id);
    return order;
  },
};

/** What the API is asked for by each form, and whether a page has the form. */
const actions: Record<string, { ask: (api: Api, id: number) => Promise<{ status: number }>; form: string }> = {
  "another address": { ask: (api, id) => api.change(id, { shipping_address: ADDRESS }), form: "/address" },
  "being paid by hand": { ask: (api, id) => api.change(id, { payment_status: "paid" }), form: "mark paid" },
  completion: { ask: (api, id) => api.change(id, { status: "completed" }), form: "/move?to=completed" },
  cancellation: { ask: (api, id) => api.change(id, { status: "cancelled" }), form: "/move?to=cancelled" },
  shipping: { ask: (api, id) => api.ship(id), form: "ship" },
  refund: { ask: (api, id) => api.refund(id), form: "/refund" },
};

function offers(page: Page, id: number, form: string): boolean {
  const path = `/admin/orders/${id}`;
  if (form === "ship") return fieldsOf(page, `${path}/ship`).status?.[0] === "shipped";
  if (form === "mark paid") return page.html.includes(">Mark paid<");
  return page.html.includes(`action="${path}${form}"`);
}

it("are tried in every status that an order can have", () => {
  const named = Object.keys(states).map((name) => name.split(",")[0]);
  expect(new Set(named)).toEqual(new Set(orderStatuses));
});

describe.each(Object.entries(states))("the page of an order that is %s", (_, anOrder) => {
  it.each(Object.entries(actions))("offers %s exactly when the API accepts it", async (_, { ask, form }) => {
    const [panel, api] = [await anAdministrator(), await anApiUser()];
    const { id } = await anOrder(api);
    const page = await panel.get(`/admin/orders/${id}`);
    const { status } = await ask(api, id);
    expect([200, 409]).toContain(status);
    expect(offers(page, id, form)).toBe(status === 200);
  });

  it("takes another address exactly when it offers that", async () => {
    const [panel, api] = [await anAdministrator(), await anApiUser()];
    const { id } = await anOrder(api);
    const path = `/admin/orders/${id}`;
    const offered = offers(await panel.get(path), id, "/address");
    const sent = Object.entries(ADDRESS).map(([name, value]) => [`shipping_address.${name}`, value]);
    expect((await panel.post(`${path}/address`, Object.fromEntries(sent))).status).toBe(offered ? 303 : 409);
  });
});
