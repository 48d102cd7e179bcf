import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { orderHistory, packages } from "../../src/platform/db/schema.ts";
import { anAdministrator as anApiUser, placed } from "../admin/orders/support.ts";
import { entriesOf } from "../support/administration.ts";
import { call } from "../support/call.ts";
import { shared } from "../support/callers.ts";
import { orderNow, productNow } from "../support/orders.ts";
import { anAdministrator, fieldsOf } from "../support/panel.ts";
import { asAdministrator } from "../support/settings.ts";
import { ADDRESS, aFile, aProduct, aUser, db, orderOf } from "../support/shop.ts";

const aPanel = shared(() => anAdministrator());
const anAdmin = shared(() => anApiUser());

let panel: Awaited<ReturnType<typeof anAdministrator>>;
let api: Awaited<ReturnType<typeof anApiUser>>;

beforeEach(async () => {
  [panel, api] = [await aPanel(), await anAdmin()];
});

const textOf = (html = "") =>
  html
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

const send = (id: number, item: number, quantity: number) =>
  api.ask(`POST /admin/orders/${id}/shipments`, { items: [{ id: item, quantity }], carrier: "Royal Mail" });

/** An order of three lamps, of which one was shipped. */
async function partlySent() {
  const order = await placed({ quantity: 3, name: "Brass Lamp" });
  await send(order.id, order.item, 1);
  return order;
}

it("shows one timeline of status changes, payments, parcels and internal notes, each with its author", async () => {
  const { id, item } = await partlySent();
  const note = { text: "Box is <dented>", once: crypto.randomUUID() };
  const [first, again] = [
    await panel.post(`/admin/orders/${id}/notes`, note),
    await panel.post(`/admin/orders/${id}/notes`, note),
  ];
  expect([first.status, again.status]).toEqual([303, 303]);
  await api.refund(id, { items: [{ id: item, quantity: 1 }], note: "Sold out" });
  const { html } = await panel.get(`/admin/orders/${id}`);
  const timeline = textOf(html.split('<ol class="timeline">')[1]?.split("</ol>")[0]);
  expect(timeline).toMatch(
    /Refunded \$10\.00.*Sold out.*Internal note Box is &lt;dented&gt;.*Parcel 1 sent with Royal Mail .* by Ada Admin.*Paid \$30\.00 processing.*Order placed pending/,
  );
  expect(timeline.match(/Internal note/g)).toHaveLength(1);
  expect((await panel.post(`/admin/orders/${id}/notes`, { text: " " })).status).toBe(400);
});

it("shows all transactions, with the total of each day", async () => {
  const { id, item, user } = await partlySent();
  await api.refund(id, { items: [{ id: item, quantity: 1 }], note: "Sold out" });
  const { html } = await panel.get(`/admin/transactions?user_id=${user.id}`);
  const text = textOf(html.split('aria-label="Transactions"')[1]?.split("</table>")[0]);
  expect(text).toMatch(/ \d+ \w+ \d{4} 1 sale \$30\.00, 1 refund -\$10\.00, 1 wallet credit -\$1,000\.00 -\$980\.00 /);
  expect(text).toMatch(/ Refund .* Wallet Sold out -\$10\.00 .* Sale .* Wallet – \$30\.00 /);
});

it("labels a transaction as manual if no provider collected it", async () => {
  const { id, user } = await placed({ method: "paypal" });
  expect((await api.change(id, { status: "processing" })).status).toBe(200);
  for (const path of [`/admin/transactions?user_id=${user.id}`, `/admin/customers/${user.id}`]) {
    const { html } = await panel.get(path);
    expect(textOf(html.split('aria-label="Transactions"')[1]?.split("</table>")[0])).toContain("Manual payment");
  }
});

it("links to the audit log by its name, which says where a buyer's own actions are", async () => {
  const { id } = await placed();
  const log = `/admin/audit-log?subject=order&amp;subject_id=${id}`;
  expect((await panel.get(`/admin/orders/${id}`)).html).toContain(`href="${log}">Audit log</a>`);
  const { html } = await panel.get(log.replace("&amp;", "&"));
  expect(textOf(html)).toMatch(/Actions of customers are not listed here.* No matching entries/);
});

it("shows line items that add up, with their shipped and refunded quantities", async () => {
  const { id, item } = await partlySent();
  await api.refund(id, { items: [{ id: item, quantity: 1 }] });
  const { html } = await panel.get(`/admin/orders/${id}`);
  const lines = textOf(html.split('aria-label="Items"')[1]?.split("</table>")[0]);
  expect(lines).toMatch(
    /Product Price Quantity Total .*Brass Lamp \S+ · 1 of 3 sent · 1 refunded \$10\.00 × 3 \$30\.00$/,
  );
  expect(textOf(html)).toContain("Total $30.00 Refunded -$10.00 Total after refunds $20.00");
});

it("prints a slip for unshipped items and one for each parcel, without prices", async () => {
  const { id, number } = await partlySent();
  const { html, status } = await panel.get(`/admin/orders/${id}/packing-slip`);
  expect(status).toBe(200);
  const [, waiting, parcel, none] = html.split('<section class="sheet">').map(textOf);
  expect(waiting).toMatch(new RegExp(`^Packing slip Order ${number}, .* Ship to Ada.* Brass Lamp 2`));
  expect(parcel).toMatch(/^Packing slip, parcel 1 .* Royal Mail .* Brass Lamp 1/);
  expect(none).toBeUndefined();
  expect(html).not.toMatch(/\$|<nav class="side"|panel\.js/);
  expect(html).toMatch(/<button type="button" hidden="">Print<\/button><span>Print with your browser/);
});

it("prints the next packing slips of many orders, each once, and for shipped orders their parcels", async () => {
  const [waiting, sent] = [await partlySent(), await placed({ quantity: 2, name: "Stool" })];
  await send(sent.id, sent.item, 2);
  const slips = async (ids: string) => panel.get(`/admin/orders/packing-slips?ids=${ids}`);
  const { html } = await slips([waiting.id, sent.id, waiting.id, 987_654].join(","));
  const sheets = html.split('<section class="sheet">').slice(1).map(textOf);
  expect(sheets).toHaveLength(2);
  expect(sheets[0]).toMatch(/Brass Lamp 2/);
  expect(sheets[1]).toMatch(/parcel 1.*Stool 2/);
  for (const wrong of ["", "1,x", "0", Array.from({ length: 101 }, (_, index) => index + 1).join(",")]) {
    expect((await slips(wrong)).status, wrong).toBe(400);
  }
});

it("prints a pick list that adds up the unsent items of many orders", async () => {
  const { id, item } = await placed({ quantity: 3, name: "Stool" });
  await send(id, item, 1);
  const other = await partlySent();
  const { html } = await panel.get(`/admin/orders/pick-list?ids=${id},${other.id}`);
  expect(html.split('<section class="sheet">')).toHaveLength(2);
  expect(textOf(html)).toMatch(/Pick list 2 orders/);
  expect(textOf(html)).toMatch(/Stool 2/);
  expect(textOf(html)).toMatch(/Brass Lamp 2/);
});

it("prints an order with line items, payment and refunds", async () => {
  const { id, number, item } = await partlySent();
  await api.refund(id, { items: [{ id: item, quantity: 1 }] });
  const text = textOf((await panel.get(`/admin/orders/${id}/invoice`)).html);
  expect(text).toMatch(new RegExp(`Order ${number}.*Bill to Ada.*Paid .*Brass Lamp .* 3 \\$10\\.00 \\$30\\.00`));
  expect(text).toMatch(/Total \$30\.00 Refunded -\$10\.00 Total after refunds \$20\.00/);
  const unpaid = await placed({ method: "paypal" });
  expect(textOf((await panel.get(`/admin/orders/${unpaid.id}/invoice`)).html)).toMatch(/Not paid yet.*Due \$10\.00/);
});

it("prints nothing for an unknown order, or for staff who may not read orders", async () => {
  const { id } = await placed();
  const catalogue = await anAdministrator({ role: "catalogue" });
  for (const page of ["packing-slip", "invoice"]) {
    expect((await panel.get(`/admin/orders/987654/${page}`)).status).toBe(404);
    expect((await catalogue.get(`/admin/orders/${id}/${page}`)).status).toBe(403);
  }
  expect((await catalogue.get(`/admin/orders/packing-slips?ids=${id}`)).status).toBe(403);
  const digital = await aProduct({ type: "digital", stock: null });
  const buyer = await aUser({ wallet: 10_000 });
  const order = await call("POST /orders", {
    as: buyer.token,
    body: { items: [{ product_id: digital.id, quantity: 1, price: 10 }], payment_method: "wallet" },
  });
  expect((await panel.get(`/admin/orders/${order.body.data.id}/packing-slip`)).html).toContain("has no items to ship.");
});

it("shows a customer's total spend, addresses and downloads", async () => {
  const file = await aFile({ access: "package" });
  const { id, user, item } = await placed({ quantity: 3, fileIds: [file.id], downloadLimit: 2, name: "Field Notes" });
  await api.refund(id, { items: [{ id: item, quantity: 1 }] });
  await call("POST /account/addresses", { as: user.token, body: { ...ADDRESS, city: "Bath" } });
  const unpaid = orderOf(await aProduct(), 1, { payment_method: "paypal" });
  await call("POST /orders", { as: user.token, body: unpaid });
  const text = textOf((await panel.get(`/admin/customers/${user.id}`)).html);
  expect(text).toMatch(/Paid less refunded \$20\.00 Paid orders 1 Average order \$20\.00/);
  expect(text).toMatch(/Addresses .*Bath/);
  expect(text).toMatch(/Packages .*Field Notes active never 4/);
  const other = await anApiUser();
  expect(textOf((await panel.get(`/admin/customers/${other.id}`)).html)).not.toContain("Lifetime value");
});

it("cancels a paid order by the button only, below the amount that goes back", async () => {
  const { id } = await placed({ quantity: 2 });
  const { html } = await panel.get(`/admin/orders/${id}`);
  expect(html).toContain("Refunds $20.00 and returns the items to stock.");
  const form = html.split(`action="/admin/orders/${id}/move?to=cancelled"`)[1] ?? "";
  expect(/<button[^>]*>/.exec(form)?.[0]).toContain("disabled");
});

it("edits an order after its new total was shown", async () => {
  const { id, item } = await placed({ quantity: 3, name: "Brass Lamp" });
  const path = `/admin/orders/${id}/edit`;
  const added = await aProduct({ price: 500, name: "Felt Pad" });
  expect((await panel.get(`/admin/orders/${id}`)).html).toContain(`href="${path}"`);
  const { html } = await panel.get(path);
  expect(html).toMatch(/<input[^>]* checked=""[^>]* name="notify"/);
  const seen = (/name="seen" value="([^"]+)"/.exec(html)?.[1] ?? "").replaceAll("&quot;", '"');
  const given = Object.entries(JSON.parse(seen)).map(([name, values]) => [name, String(values)]);
  const opened = { ...Object.fromEntries(given), seen };
  const fields = { ...opened, [`quantity-item-${item}`]: "1", items: String(added.id), [`quantity-${added.id}`]: "2" };
  const reviewed = await panel.post(path, { ...fields, do: "review" });
  expect(textOf(reviewed.html)).toMatch(/Check the new total.*Felt Pad.*Total before \$30\.00 Difference -\$10\.00/);
  const total = /name="expected_total" value="([\d.]+)"/.exec(reviewed.html)?.[1];
  expect(total).toBe("20");
  const same = await panel.post(path, { ...opened, do: "save", expected_total: "30" });
  expect(decodeURIComponent(same.headers.get("set-cookie") ?? "")).toContain("Nothing was changed.");
  const unseen = await panel.post(path, { ...fields, do: "save", expected_total: "19" });
  expect(unseen.status).toBe(400);
  expect(textOf(unseen.html)).toContain("the order now costs 20.00");
  const once = crypto.randomUUID();
  for (const _ of [1, 2]) {
    const saved = await panel.post(path, { ...fields, do: "save", expected_total: "20", note: "By telephone", once });
    expect(saved.status).toBe(303);
  }
  const timeline = textOf((await panel.get(`/admin/orders/${id}`)).html.split('<ol class="timeline">')[1]);
  expect(timeline).toMatch(/Order edited, difference refunded: \$10\.00 Added 2 × Felt Pad\..*By telephone/);
  expect(timeline.match(/Order edited/g)).toHaveLength(1);
  const told = await db.select().from(orderHistory).where(eq(orderHistory.notify, true));
  expect(told).toMatchObject([{ orderId: id, kind: "edit_refund" }]);
  const tooMany = await panel.post(path, { ...opened, [`quantity-item-${item}`]: "1000", do: "review" });
  expect(textOf(tooMany.html)).toMatch(/The order cannot be edited like this.*Quantity/);
  await send(id, item, 1);
  expect((await panel.get(path)).status).toBe(303);
});

/** Fills in and sends the form of a page. */
async function fillIn(page: string, action: string, fields: Record<string, string>) {
  const { get, post } = await aPanel();
  const shown = await get(page);
  return post(action, { ...fieldsOf(shown, action), ...fields });
}

it("takes a return from the order's page to its refund by forms", async () => {
  const { get } = await aPanel();
  const order = await placed({ quantity: 3 });
  const as = await asAdministrator();
  await call(`POST /admin/orders/${order.id}/shipments`, { as, body: { carrier: "DHL" } });
  const opened = `/admin/returns/new?order_id=${order.id}`;
  expect((await get(`/admin/orders/${order.id}`)).html).toContain(`href="${opened}"`);

  const tooMany = await fillIn(opened, "/admin/returns", { [`quantity-${order.item}`]: "4" });
  expect(tooMany.status).toBe(400);
  expect(tooMany.html).toContain("must be at most 3");
  const made = await fillIn(opened, "/admin/returns", {
    [`quantity-${order.item}`]: "2",
    instructions: "Mill Lane 12",
  });
  const path = String(made.location);
  expect(path).toMatch(/^\/admin\/returns\/\d+$/);

  await fillIn(path, `${path}/send`, { carrier: "DHL", tracking_number: "00340" });
  const wrong = await fillIn(path, `${path}/receive`, {
    [`intact-${order.item}`]: "2",
    [`damaged-${order.item}`]: "1",
  });
  expect([wrong.status, wrong.html.includes("exceeds the 2 units")]).toEqual([400, true]);
  await fillIn(path, `${path}/receive`, { [`intact-${order.item}`]: "1", [`damaged-${order.item}`]: "1" });
  expect((await get(path)).html).toContain("Refund $20.00");
  const preview = await fillIn(path, `${path}/settle`, { deduction: "2.50", preview: "true" });
  expect(preview.html).toContain("Refund $17.50");
  const settled = await fillIn(path, `${path}/settle`, { deduction: "2.50" });
  expect(settled.location).toBe(path);

  expect((await orderNow(order.id)).refundedTotal).toBe(1_750);
  expect((await productNow(order.product.id))?.stockQuantity).toBe(8);
  expect((await get(path)).html).toContain("17.50");
  expect((await get(`/admin/returns?order_id=${order.id}`)).html).toContain(`href="${path}"`);
  expect((await get(`/admin/orders/${order.id}`)).html).toContain(`href="${path}"`);
  expect((await entriesOf(order.id)).map(({ action }) => action)).toEqual(
    expect.arrayContaining(["order.create_return", "order.update_return", "order.refund"]),
  );
});

it("warns of downloads that were used before it refunds them", async () => {
  const { get } = await aPanel();
  const order = await placed({ quantity: 2 });
  const as = await asAdministrator();
  await call(`POST /admin/orders/${order.id}/shipments`, { as, body: { carrier: "DHL" } });
  const made = (await call(`POST /admin/orders/${order.id}/returns`, { as, body: {} })).body.data;
  await call(`PUT /admin/returns/${made.id}`, { as, body: { status: "received" } });
  const warning = `The customer has already downloaded ${order.product.name}.`;
  expect((await get(`/admin/returns/${made.id}`)).html).not.toContain(warning);
  const bought = { userId: order.user.id, orderId: order.id, orderItemId: order.item, units: 2 };
  await db.insert(packages).values({ ...bought, name: "Files", downloadsUsed: 3, startsAt: 0 });
  const { html } = await get(`/admin/returns/${made.id}`);
  expect([html.includes(warning), html.includes("Downloads used")]).toEqual([true, true]);
});

it("approves a request with an address, or declines it with a reason", async () => {
  const order = await placed({ quantity: 2 });
  const as = await asAdministrator();
  await call(`POST /admin/orders/${order.id}/shipments`, { as, body: { carrier: "DHL" } });
  const items = [{ id: order.item, quantity: 1 }];
  const ask = async () =>
    (await call(`POST /account/orders/${order.id}/returns`, { as: order.user.token, body: { items } })).body.data.id;
  const [first, second] = [`/admin/returns/${await ask()}`, `/admin/returns/${await ask()}`];
  await fillIn(first, `${first}/approve`, { instructions: "Mill Lane 12" });
  expect((await fillIn(second, `${second}/decline`, {})).status).toBe(400);
  await fillIn(second, `${second}/decline`, { decline_reason: "Worn" });
  const { data } = (await call(`GET /admin/returns?order_id=${order.id}`, { as })).body;
  expect(data).toMatchObject([
    { status: "declined", decline_reason: "Worn" },
    { status: "approved", instructions: "Mill Lane 12" },
  ]);
});
