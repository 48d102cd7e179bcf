import { expect, it } from "vitest";
import { buy } from "../payments/support/shop.ts";
import { stripeAccount } from "../payments/support/stripe.ts";
import { aRenewingFont, aSubscription, billedNow, inDays, subscriptionNow, tell } from "../subscriptions/support.ts";
import { anAdministrator } from "../support/panel.ts";
import { aUser } from "../support/shop.ts";

const STRIPE = stripeAccount("subscriptions-in-panel");
const admin = await anAdministrator();

async function aSubscriber(name: string) {
  const user = await aUser({ name });
  const { order, product } = await buy(STRIPE, { product: await aRenewingFont(), as: user.token });
  const billed = aSubscription(order, { current_period_end: inDays(30) });
  await tell(STRIPE, "invoice.paid", billed);
  const id = Number((await subscriptionNow(billed))?.id);
  return { order, product, billed, path: `/admin/subscriptions/${id}` };
}

it("lists subscriptions with their customer, product and next payment, by status too, and on their order", async () => {
  const { product, path, order, billed } = await aSubscriber("Sybil Scriber");
  const { html } = await admin.get("/admin/subscriptions");
  const nextPayment = new Date(billed.current_period_end * 1000).toISOString().slice(0, 16);
  for (const shown of [`href="${path}"`, product.name, "Sybil Scriber", "active", nextPayment]) {
    expect(html).toContain(shown);
  }
  await tell(STRIPE, "invoice.payment_failed", { ...billed, status: "past_due" });
  expect((await admin.get("/admin/subscriptions?status=active")).html).not.toContain(`href="${path}"`);
  expect((await admin.get("/admin/subscriptions?status=past_due")).html).toContain(`href="${path}"`);
  const ofOrder = `/admin/subscriptions?order_id=${order.id}`;
  expect((await admin.get(`/admin/orders/${order.id}`)).html).toContain(`href="${ofOrder}"`);
  expect((await admin.get(ofOrder)).html).toContain(`href="${path}"`);
});

it("cancels a subscription at the end of its period, then ends it at once", async () => {
  const { billed, path } = await aSubscriber("Carl Canceller");
  const cancelled = await admin.post(`${path}/cancel`, {}, {}, STRIPE);
  expect(cancelled.status, cancelled.html).toBe(303);
  expect(await billedNow(billed.id)).toMatchObject({ cancel_at_period_end: true, ended_at: null });
  const { html } = await admin.get(path);
  expect(html).toContain("It ends with the paid period.");
  expect([html.includes(`${path}/cancel`), html.includes(`${path}/end`)]).toEqual([false, true]);
  expect((await admin.post(`${path}/end`, {}, {}, STRIPE)).status).toBe(303);
  expect(await billedNow(billed.id)).toMatchObject({ status: "canceled" });
  expect((await admin.get(path)).html).not.toContain(`${path}/end`);
});

it("is ended only by staff who may write orders", async () => {
  const { path } = await aSubscriber("Vera Viewer");
  const viewer = await anAdministrator({ role: "viewer" });
  expect((await viewer.get(path)).html).not.toContain(`${path}/end`);
  expect((await viewer.post(`${path}/end`, {}, {}, STRIPE)).status).toBe(403);
  expect((await admin.get("/admin/subscriptions/999999")).status).toBe(404);
});
