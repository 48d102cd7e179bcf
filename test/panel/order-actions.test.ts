import { describe, expect, it } from "vitest";
import { expireOrders } from "../../src/checkout/orders/change.ts";
import { orderStatuses } from "../../src/platform/db/schema.ts";
import { anAdministrator as anApiUser, placed } from "../admin/orders/support.ts";
import { shared } from "../support/callers.ts";
import { outlive } from "../support/orders.ts";
import { anAdministrator, type Page } from "../support/panel.ts";
import { ADDRESS, db } from "../support/shop.ts";

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
  it("has exactly the available actions on its page", async () => {
    const [panel, { id }] = [await anAdmin(), await anOrder(await anApi())];
    expect(offeredBy(await panel.get(`/admin/orders/${id}`), id)).toEqual(onPage);
  });

  it.each(actions)("accepts or refuses %s by the API accordingly", async (action) => {
    const api = await anApi();
    const { id } = await anOrder(api);
    expect((await asks[action](api, id)).status).toBe(open.includes(action) || reached[action] === name ? 200 : 409);
  });

  it("accepts or refuses another address by the page's form accordingly", async () => {
    const [panel, { id }] = [await anAdmin(), await anOrder(await anApi())];
    const fields = Object.entries(ELSEWHERE).map(([name, value]) => [`shipping_address.${name}`, value]);
    const { status } = await panel.post(`/admin/orders/${id}/address`, Object.fromEntries(fields));
    expect(status).toBe(open.includes("address") ? 303 : 409);
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
