import { expect } from "vitest";
import { LONG } from "../../support/long.ts";
import { aVisitor } from "../no-script/visitor.ts";
import { aShopper, asAdmin, findProduct, orderOf } from "../shopper.ts";
import { aVisitOf, it } from "./example.ts";

const LABEL = "Withdraw from contract here";

it(
  "offers withdrawal in the footer and on orders, in two steps, and the Worker's page does too",
  LONG,
  async ({ shop, example, see }) => {
    const admin = await asAdmin(shop);
    const offer = (withdrawal_days: number | null) => admin.PUT("/api/v1/admin/shop", { body: { withdrawal_days } });
    await offer(14);
    const buyer = await aShopper(shop);
    const { data: order } = await buyer.api.POST("/api/v1/user/orders", {
      body: orderOf(await findProduct(buyer.api, "wrist strap")),
    });
    const visitor = aVisitOf(buyer, example);
    await visitor.open(`/orders/${order.id}`);
    await visitor.follow(LABEL);
    await see(visitor, "withdraw");
    visitor.fill("Your name", "Lou Lossy");
    visitor.fill("E-mail address of the order", buyer.email);
    await visitor.press("Continue");
    await see(visitor, "withdraw-confirm");
    await visitor.press("Confirm withdrawal");
    visitor.told(/Your withdrawal was sent/);
    const { data: made } = await buyer.api.GET("/api/v1/user/account/returns", {
      params: { query: { order_id: order.id } },
    });
    expect(made).toMatchObject([{ requested_by: "withdrawal", withdrawal: { name: "Lou Lossy" } }]);

    const stranger = aVisitor(shop.base_url);
    await stranger.open(`/account/withdraw?order=${encodeURIComponent(order.number)}`);
    await see(stranger, "account-withdraw");
    stranger.fill("Your name", "Sam Stranger");
    stranger.fill("E-mail address of the order", "stranger@example.com");
    await stranger.press("Continue");
    await see(stranger, "account-withdraw-confirm");
    await stranger.press("Confirm withdrawal");
    expect(stranger.text()).toContain("Your withdrawal was sent");
    await see(stranger, "account-withdraw-received");
    await offer(null);
  },
);

it(
  "cancels an order that has not left, and asks for the return of one that has",
  LONG,
  async ({ shop, example, see }) => {
    const buyer = await aShopper(shop);
    const body = orderOf(await findProduct(buyer.api, "wrist strap"));
    const place = async () => (await buyer.api.POST("/api/v1/user/orders", { body })).data;
    const visitor = aVisitOf(buyer, example);
    const first = await place();
    await visitor.open(`/orders/${first.id}`);
    await visitor.press("Cancel order");
    visitor.told("Your order was cancelled.");
    const second = await place();
    const admin = await asAdmin(shop);
    const params = { path: { id: second.id } };
    await admin.POST("/api/v1/admin/orders/{id}/shipments", { params, body: { carrier: "Post" } });
    await visitor.open(`/orders/${second.id}`);
    await see(visitor, "order-to-return");
    await visitor.press("Request a return");
    visitor.told(/You requested a return/);
  },
);
