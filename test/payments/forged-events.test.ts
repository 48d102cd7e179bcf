import { expect, it } from "vitest";
import { approval, captureOf, paypalAccount, paypalEvent, tellPaypal } from "./support/paypal.ts";
import { buy, orderNow } from "./support/shop.ts";
import { sent } from "./support/stand-in.ts";

const PAYPAL = paypalAccount("forged");
const forged = { "PayPal-Transmission-Sig": "forged" };

const verifications = async (about: string) => (await sent(about, "POST /v1/notifications/")).length;

it("asks PayPal nothing about events that name no order of the shop", async () => {
  const orders = Array.from({ length: 50 }, (_, index) => `0000-0000-${String(index).padStart(4, "0")}`);
  const events = orders.map((custom_id) =>
    paypalEvent("PAYMENT.CAPTURE.COMPLETED", { id: `F-${custom_id}`, custom_id }),
  );
  const answers = await Promise.all(events.map((event) => tellPaypal(PAYPAL, event, forged)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await verifications("F-0000-0000-")).toBe(0);
});

it("limits its calls to PayPal about forged events of one address that name an order", async () => {
  const { order } = await buy(PAYPAL);
  const event = () => paypalEvent("PAYMENT.CAPTURE.COMPLETED", captureOf(order));
  const from = { "CF-Connecting-IP": "192.0.2.78" };
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => tellPaypal(PAYPAL, event(), { ...forged, ...from })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400, 429]));
  expect(answers.find(({ status }) => status === 429)?.headers.get("Retry-After")).toMatch(/^\d+$/);
  expect(await verifications(`CAP-${order.payment.reference}`)).toBe(20);
});

it.each([
  ["one address", { "CF-Connecting-IP": "192.0.2.79" }],
  ["many addresses", {}],
])("accepts the payment of the very order that sixty forged events of %s named", async (_, from) => {
  const { order } = await buy(PAYPAL);
  const event = () => paypalEvent("PAYMENT.CAPTURE.COMPLETED", captureOf(order));
  await Promise.all(Array.from({ length: 60 }, () => tellPaypal(PAYPAL, event(), { ...forged, ...from })));
  expect((await tellPaypal(PAYPAL, approval(order))).status).toBe(200);
  expect(await orderNow(order.id)).toMatchObject({ paymentStatus: "paid" });
});

it("answers a repeated event without asking PayPal, even from an address that sent forged events", async () => {
  const { order } = await buy(PAYPAL);
  const from = { "CF-Connecting-IP": "192.0.2.80" };
  const capture = paypalEvent("PAYMENT.CAPTURE.COMPLETED", captureOf(order));
  expect((await tellPaypal(PAYPAL, capture)).status).toBe(200);
  expect(await orderNow(order.id)).toMatchObject({ paymentStatus: "paid" });
  const other = () => paypalEvent("PAYMENT.CAPTURE.COMPLETED", captureOf(order, { id: `F-${order.reference}` }));
  await Promise.all(Array.from({ length: 30 }, () => tellPaypal(PAYPAL, other(), { ...forged, ...from })));
  expect((await tellPaypal(PAYPAL, other(), from)).status).toBe(429);
  expect((await tellPaypal(PAYPAL, capture, from)).status).toBe(200);
  expect(await verifications(`CAP-${order.payment.reference}`)).toBe(1);
});

it("does not limit genuine events, however many name an order", async () => {
  const { order } = await buy(PAYPAL);
  const from = { "CF-Connecting-IP": "192.0.2.81" };
  for (let n = 0; n < 25; n++) {
    const declined = paypalEvent("PAYMENT.CAPTURE.DENIED", captureOf(order));
    expect((await tellPaypal(PAYPAL, declined, from)).status).toBe(200);
  }
});

it("accepts another order's payment meanwhile, even from the address that sent forged events", async () => {
  const [{ order: known }, { order }] = [await buy(PAYPAL), await buy(PAYPAL)];
  const from = { "CF-Connecting-IP": "192.0.2.77" };
  const event = () => paypalEvent("PAYMENT.CAPTURE.COMPLETED", captureOf(known));
  await Promise.all(Array.from({ length: 60 }, () => tellPaypal(PAYPAL, event(), { ...forged, ...from })));
  expect((await tellPaypal(PAYPAL, approval(order), from)).status).toBe(200);
  expect(await orderNow(order.id)).toMatchObject({ paymentStatus: "paid" });
});
