import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { followEvents } from "../../src/apps/follow-events.ts";
import { expireOrders } from "../../src/checkout/orders/change.ts";
import { handlePaymentEvent } from "../../src/checkout/payments/handle-event.ts";
import { emails, orders } from "../../src/platform/db/schema.ts";
import { callWith } from "../support/call.ts";
import { aSendingShop } from "../support/emails.ts";
import { orderNow, outlive, placeOrder } from "../support/orders.ts";
import { aFile, aKey, aParent, aProduct, aUser, aVariant, db, onPurpose, orderOf } from "../support/shop.ts";

const { bindings, call, received } = aSendingShop();
let admin: { token: string };

beforeAll(async () => {
  admin = await aUser({ role: "admin" });
});

type Buyer = Awaited<ReturnType<typeof aUser>>;
type Product = Parameters<typeof aProduct>[0];

const buyer = () => aUser({ wallet: 100_000, name: "Ada Lovelace" });

async function place(buyer: Buyer, more: Record<string, unknown> = {}, columns: Product = {}, quantity = 2) {
  const product = await aProduct({ name: "Satchel", price: 14_900, ...columns });
  return placeOrder({ buyer, product, quantity, send: call, ...more });
}

const change = (id: number, body: unknown) => call(`PUT /admin/orders/${id}`, { as: admin.token, body });
const refund = (id: number, body: unknown) =>
  call(`POST /admin/orders/${id}/refunds`, { as: admin.token, body, headers: onPurpose() });
const follow = () => followEvents({ ...env, ...bindings });
const subjects = (to: string) => received(to).map(({ subject }) => subject);

/** Declines the buyer's card as a provider does. The payment can be retried at a URL. */
async function refuseCard(id: number, paymentUrl: string) {
  const { reference } = await orderNow(id);
  await db.update(orders).set({ paymentUrl, paymentProvider: "stripe" }).where(eq(orders.id, id));
  const order = { reference, total: 29_800, currency: "USD" };
  const author = { actor: "stripe", address: null, requestId: "test", now: Date.now() };
  const event = { id: `failed-${id}`, kind: "failed", order, amount: 29_800, currency: "USD" } as const;
  await handlePaymentEvent({ db, author }, { ...event, provider: "stripe", reference: `ref-${id}` });
  await follow();
}

describe("a buyer", () => {
  it("gets one e-mail seconds after an order that is paid at once, with its lines, totals and address", async () => {
    const user = await buyer();
    const { number } = await place(user);
    const [email, ...others] = received(user.email);
    expect(others).toEqual([]);
    expect(email?.subject).toBe(`Your order ${number} at Storefront`);
    expect(email?.text).toBe(`Hello Ada Lovelace,

Thank you for your order.

Paid by wallet.

We will e-mail you when your order ships.

2 × Satchel  $298.00
--------------------
Total        $298.00

Ship to: Ada Lovelace, 12 St James's Square, London SW1Y 4JH

-- 
Storefront
`);
    expect(email?.html).toContain("2 × Satchel");
    expect(email?.html).toContain("$298.00");
  });

  it("sees which variants were ordered and shipped", async () => {
    const user = await buyer();
    const variant = await aVariant(await aParent({ name: "Shirt" }));
    const { body } = await call("POST /orders", { as: user.token, body: orderOf(variant, 2), headers: onPurpose() });
    await change(body.data.id, { status: "shipped", shipment: { carrier: "Post" } });
    const [confirmation, shipped] = received(user.email);
    expect(confirmation?.text).toContain("2 × Shirt  $20.00\n  Size: S, Color: Blue\n");
    expect(shipped?.text).toContain("2 × Shirt\n  Size: S, Color: Blue\n");
  });

  it("gets payment instructions for an unpaid order, and a notice once it is paid", async () => {
    const user = await buyer();
    const { id, number } = await place(user, { payment_method: "paypal" });
    const [waiting] = received(user.email);
    expect(waiting?.text).toMatch(
      /Your order is waiting for payment. Please follow the shop's instructions to pay\. It is reserved until .* UTC\./,
    );
    await change(id, { payment_status: "paid" });
    const [paid, ...others] = received(user.email);
    expect(others).toEqual([]);
    expect(paid?.subject).toBe(`Payment received for order ${number}`);
    expect(paid?.text).toContain("We have received your payment of $298.00.");
  });

  it("gets an edited order by e-mail once, if staff request it, with instructions to pay the new total", async () => {
    const user = await buyer();
    const { id, number, item } = await place(user, { payment_method: "bank_transfer" });
    received(user.email);
    const edit = (body: object) => call(`POST /admin/orders/${id}/edits`, { as: admin.token, body });
    const silent = await edit({ items: [{ id: item, quantity: 3 }], expected_total: 447 });
    expect(silent.status, JSON.stringify(silent.body)).toBe(200);
    await edit({ expected_total: 447, note: "Only a note", notify: true });
    await follow();
    expect(received(user.email)).toEqual([]);
    const body = { items: [{ id: item, quantity: 1 }], expected_total: 149, notify: true };
    expect((await edit(body)).status).toBe(200);
    await follow();
    const [edited, ...others] = received(user.email);
    expect(others).toEqual([]);
    expect(edited?.subject).toBe(`Your order ${number} was changed`);
    expect(edited?.text).toMatch(
      /Storefront has changed your order\..*waiting for payment.*1 × Satchel {2}\$149\.00.*Total {8}\$149\.00/s,
    );
  });

  it("gets no payment notice when an edit leaves nothing to pay", async () => {
    const user = await buyer();
    const { id, item } = await place(user, { payment_method: "bank_transfer" });
    received(user.email);
    const body = { items: [{ id: item, quantity: 1, unit_price: 0 }], expected_total: 0, notify: true };
    const edited = await call(`POST /admin/orders/${id}/edits`, { as: admin.token, body });
    expect(edited.body.data).toMatchObject({ payment_status: "paid", total: 0 });
    await follow();
    expect(subjects(user.email)).toEqual([expect.stringMatching(/was changed$/)]);
  });

  it("may retry a failed payment at the provider until the order expires", async () => {
    const user = await buyer();
    const { id, number } = await place(user, { payment_method: "credit_card" });
    received(user.email);
    await refuseCard(id, "https://pay.test/again");
    const [failed] = received(user.email);
    expect(failed?.subject).toBe(`Your payment for order ${number} failed`);
    expect(failed?.html).toContain('href="https://pay.test/again"');
    const order = await db.select().from(orders).where(eq(orders.id, id)).get();
    const row = await db.select().from(emails).where(eq(emails.template, "payment_failed")).get();
    expect(row?.expiresAt).toBe(order?.expiresAt);
  });

  it("is never sent to a page outside the web, whatever the order says", async () => {
    const user = await buyer();
    const { id } = await place(user, { payment_method: "credit_card" });
    received(user.email);
    await refuseCard(id, "javascript:alert(1)//https://");
    const [failed] = received(user.email);
    expect(failed?.html).not.toContain("javascript:");
    expect(failed?.text).not.toContain("javascript:");
  });

  it("learns what was shipped, without refunded items, and where to track it", async () => {
    const user = await buyer();
    const { id, number, item } = await place(user, {}, {}, 3);
    await refund(id, { items: [{ id: item, quantity: 1 }] });
    received(user.email);
    const shipment = { carrier: "Royal Mail", tracking_number: "QX 1", tracking_url: "https://track.test/QX1" };
    await change(id, { status: "shipped", shipment });
    const [shipped] = received(user.email);
    expect(shipped?.subject).toBe(`Your order ${number} is on its way`);
    expect(shipped?.text).toContain(
      "Carrier: Royal Mail\nTracking number: QX 1\n\nTrack parcel:\nhttps://track.test/QX1\n\n2 × Satchel\n",
    );
  });

  it("learns what each parcel contains, and whether more will follow", async () => {
    const user = await buyer();
    const { id, number, item } = await place(user, {}, {}, 3);
    received(user.email);
    const parcel = { carrier: "Post", items: [{ id: item, quantity: 1 }] };
    const send = () => call(`POST /admin/orders/${id}/shipments`, { as: admin.token, body: parcel });
    const told = async () => {
      await send();
      const [{ subject, text } = { subject: "", text: "" }] = received(user.email);
      return [subject, text.includes("1 × Satchel"), text.includes("when the rest ships")];
    };
    expect(await told()).toEqual([`Part of your order ${number} is on its way`, true, true]);
    expect(await told()).toEqual([`Part of your order ${number} is on its way`, true, true]);
    expect(await told()).toEqual([`The rest of your order ${number} is on its way`, true, false]);
  });

  it("gets no tracking link that is not https", async () => {
    const user = await buyer();
    const { id } = await place(user);
    received(user.email);
    await change(id, { status: "shipped", shipment: { carrier: "Post", tracking_url: "http://track.test/1" } });
    const [shipped] = received(user.email);
    expect(shipped?.text).toContain("Carrier: Post");
    expect(shipped?.text).not.toContain("track.test");
    expect(shipped?.html).not.toContain("track.test");
  });

  it("is notified of a cancellation and of the refunded money", async () => {
    const user = await buyer();
    const { id, number } = await place(user);
    received(user.email);
    await call(`POST /account/orders/${id}/cancel`, { as: user.token });
    const found = received(user.email);
    expect(found.map(({ subject }) => subject).sort()).toEqual([
      `Your order ${number} was cancelled`,
      `Your refund for order ${number}`,
    ]);
    expect(found.find(({ subject }) => subject.includes("cancelled"))?.text).toContain("We are refunding $298.00");
    expect(found.find(({ subject }) => subject.includes("refund"))?.text).toContain(
      "We have refunded $298.00 to your wallet at the shop.",
    );
  });

  it("gets an e-mail for each refund, with the amount of that refund", async () => {
    const user = await buyer();
    const { id } = await place(user);
    received(user.email);
    await refund(id, { amount: 10.07 });
    await refund(id, { amount: 0.1 });
    expect(received(user.email).map(({ text }) => /We have refunded (\S+) to/.exec(text)?.[1])).toEqual([
      "$10.07",
      "$0.10",
    ]);
  });

  it("is notified once that an order's downloads are ready, however many units it has", async () => {
    const user = await buyer();
    const file = await aFile({ access: "package" });
    const { number } = await place(user, {}, { type: "digital", stock: null, fileIds: [file.id], downloadLimit: 5 }, 3);
    const found = received(user.email);
    expect(found.map(({ subject }) => subject).sort()).toEqual([
      `Your downloads from order ${number} are ready`,
      `Your order ${number} at Storefront`,
    ]);
    const [ready] = found.filter(({ subject }) => subject.includes("downloads"));
    expect(ready?.text).toContain("Sign in to your account");
    expect(ready?.text).toContain("3 × Satchel\n  15 downloads\n");
    expect(found.some(({ text }) => text.includes("on its way"))).toBe(false);
  });

  it("gets a link to the shop's page of the order, if the shop has set its address", async () => {
    const user = await buyer();
    const sold = await aProduct();
    const body = orderOf(sold, 1);
    const ORDER_URL = "https://storefront.test/orders/{reference}?from=e-mail";
    const placed = await callWith({ ...bindings, ORDER_URL }, "POST /orders", { as: user.token, body });
    const address = `https://storefront.test/orders/${placed.body.data.reference}?from=e-mail`;
    const [email] = received(user.email);
    expect(email?.text).toContain(`View your order:\n${address}`);
    expect(email?.html).toContain(`href="${address}"`);
  });

  it("is notified that an order was not paid in time, or was cancelled before it was paid", async () => {
    const user = await buyer();
    const expiring = await place(user, { payment_method: "paypal" });
    const cancelled = await place(user, { payment_method: "paypal" });
    received(user.email);
    await outlive(expiring.id);
    await expireOrders(db, Date.now());
    await follow();
    await call(`POST /account/orders/${cancelled.id}/cancel`, { as: user.token });
    const found = received(user.email);
    expect(found.map(({ subject }) => subject)).toEqual([
      `Your order ${expiring.number} was not paid in time`,
      `Your order ${cancelled.number} was cancelled`,
    ]);
    for (const { text } of found) expect(text).toMatch(/not charged/);
  });
});

describe("a guest", () => {
  it("gets the order's e-mails without the texts they typed, because the address may be a stranger's", async () => {
    const { key } = await aKey();
    const customer = { email: "guest@example.test", name: "Claim your prize at https://evil.test" };
    const sold = await aProduct({ name: "Satchel" });
    const body = orderOf(sold, 1, { payment_method: "paypal", customer });
    const placed = await call("POST /orders", { as: key, body });
    const [email] = received(customer.email);
    expect(email?.subject).toBe(`Your order ${placed.body.data.number} at Storefront`);
    expect(email?.text.startsWith("Hello,\n")).toBe(true);
    for (const typed of ["evil.test", "prize", "St James"]) {
      expect(email?.text).not.toContain(typed);
      expect(email?.html).not.toContain(typed);
    }
    await change(placed.body.data.id, { payment_status: "paid" });
    expect(subjects(customer.email)).toEqual([`Payment received for order ${placed.body.data.number}`]);
  });
});
