import { eq } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { emails, packages, users } from "../../src/platform/db/schema.ts";
import { aSendingShop, tokenIn } from "../support/emails.ts";
import { anArchive, follow } from "../support/links.ts";
import { aVisitor } from "../support/panel.ts";
import { asAdministrator } from "../support/settings.ts";
import { aFile, aKey, aProduct, aUser, db, orderOf } from "../support/shop.ts";

const { call, received } = aSendingShop();
let key: string;
let guests = 0;

beforeAll(async () => {
  key = (await aKey()).key;
});

/** A guest's paid order of downloads, with the token of its e-mail. */
async function anOrder({ email = `guest-${++guests}@example.test`, units = 1, downloadLimit = 2, price = 500 } = {}) {
  const file = await anArchive({ access: "package" });
  const product = await aProduct({ type: "digital", price, stock: null, downloadLimit, fileIds: [file.id] });
  const body = orderOf(product, units, { payment_method: "paypal", customer: { email, name: "Greta Guest" } });
  const { body: placed } = await call("POST /orders", { as: key, body });
  const as = await asAdministrator();
  if (price > 0) await call(`PUT /admin/orders/${placed.data.id}`, { as, body: { payment_status: "paid" } });
  const letters = received(email);
  return { ...placed.data, email, file, letters, token: tokenIn(letters.at(-1) ?? { text: "" }) };
}

const textOf = ({ letters }: { letters: { text: string }[] }) => letters.map(({ text }) => text).join();
const open = (token: string) => call("POST /orders/link", { body: { token } });
const linkOf = (token: string, file: { id: number }, as?: string) =>
  call("POST /orders/link/downloads", { body: { token, file_id: file.id }, ...(as && { as }) });
const ownerOf = async (orderId: number) =>
  (await db.select({ userId: packages.userId }).from(packages).where(eq(packages.orderId, orderId))).map(
    ({ userId }) => userId,
  );

it("gives a guest the files of a paid order by the link in its e-mail, counted as an account's", async () => {
  const order = await anOrder();
  expect(textOf(order)).toContain("Open your order to get them.");
  const { body } = await open(order.token);
  expect(body.data.downloads).toMatchObject([
    { status: "active", download_limit: 2, downloads_used: 0, files: [{ id: order.file.id }] },
  ]);
  for (const used of [1, 2]) {
    const { status, body } = await linkOf(order.token, order.file);
    expect([status, body.data.kind]).toEqual([200, "link"]);
    expect((await follow(body.data.url)).status).toBe(200);
    expect((await open(order.token)).body.data.downloads[0].downloads_used).toBe(used);
  }
  const { status, body: refused } = await linkOf(order.token, order.file);
  expect([status, refused.details[0].denied_reason]).toEqual([403, "limit_reached"]);
});

it("gives nothing before the payment, after a refund, of another order, or for a test key's order", async () => {
  const [mine, others] = [await anOrder(), await anOrder()];
  expect((await linkOf(mine.token, others.file)).body.details[0].denied_reason).toBe("no_package");
  const { url } = (await linkOf(mine.token, mine.file)).body.data;
  const as = await asAdministrator();
  await call(`POST /admin/orders/${mine.id}/refunds`, { as, body: { items: [{ id: mine.items[0].id, quantity: 1 }] } });
  expect((await linkOf(mine.token, mine.file)).body.details[0].denied_reason).toBe("revoked");
  expect((await follow(url)).status).toBe(403);

  const product = await aProduct({ type: "digital", stock: null, fileIds: [mine.file.id] });
  const customer = { email: "waiting@example.test", name: "Greta Guest" };
  await call("POST /orders", { as: key, body: orderOf(product, 1, { payment_method: "paypal", customer }) });
  const unpaid = tokenIn(received(customer.email)[0] ?? { text: "" });
  expect((await open(unpaid)).body.data.downloads).toEqual([]);
  expect((await linkOf(unpaid, mine.file)).body.details[0].denied_reason).toBe("no_package");
});

it("asks a guest for an e-mail address, which is proved by the link, also for a free download", async () => {
  const product = await aProduct({
    type: "digital",
    stock: null,
    fileIds: [(await anArchive({ access: "package" })).id],
  });
  const nameless = await call("POST /orders", { as: key, body: orderOf(product, 1, { payment_method: "paypal" }) });
  expect([nameless.status, nameless.body.details]).toMatchObject([
    400,
    [{ field: "customer.email", code: "required" }],
  ]);
  const free = await anOrder({ price: 0 });
  expect((await linkOf(free.token, free.file)).status).toBe(200);
});

it("moves the packages to the account that verifies the address, and ends the guest's links to them", async () => {
  const order = await anOrder();
  const { url } = (await linkOf(order.token, order.file)).body.data;
  const user = await aUser({ email: order.email, emailVerifiedAt: null });
  expect(await ownerOf(order.id)).toEqual([null]);
  await db.update(users).set({ emailVerifiedAt: Date.now() }).where(eq(users.id, user.id));
  expect(await ownerOf(order.id)).toEqual([user.id]);
  expect((await open(order.token)).body.data.downloads).toEqual([]);
  expect((await linkOf(order.token, order.file)).status).toBe(403);
  expect((await follow(url)).status).toBe(403);
  const mine = await call(`GET /download-file?file_id=${order.file.id}`, { as: user.token });
  expect(mine.body.data.downloads_remaining).toBe(2);
  const later = await anOrder({ email: order.email });
  expect(await ownerOf(later.id)).toEqual([user.id]);
  expect(textOf(later)).toContain("Sign in to your account to get them.");
  expect((await call(`GET /download-file?file_id=${later.file.id}`, { as: user.token })).status).toBe(200);
});

it("leaves the packages to the guest while nobody has proved the address, and when the account is disabled", async () => {
  const email = "disabled@example.test";
  await aUser({ email, disabledAt: Date.now() });
  expect(await ownerOf((await anOrder({ email })).id)).toEqual([null]);
});

it("leaves the packages to the guest when an account takes the address without proving it", async () => {
  const [order, user] = [await anOrder(), await aUser()];
  const as = await asAdministrator();
  const body = { email: order.email, email_change_reason: "They lost the old mailbox" };
  expect((await call(`PUT /admin/users/${user.id}`, { as, body })).status).toBe(200);
  expect(await ownerOf(order.id)).toEqual([null]);
  expect((await linkOf(order.token, order.file)).status).toBe(200);
});

it("says so when the address already got its e-mails of this hour, and keeps the link", async () => {
  const order = await anOrder();
  const sent = { userId: null, orderId: order.id, recipient: order.email, dueAt: 0, createdAt: Date.now() };
  const letters = Array.from({ length: 10 }, () => ({
    ...sent,
    key: crypto.randomUUID(),
    template: "refund_sent",
    params: {},
  }));
  await db.insert(emails).values(letters);
  expect((await call("POST /orders/link/rotate", { body: { token: order.token } })).status).toBe(429);
  expect((await open(order.token)).status).toBe(200);
});

it("replaces a link that was forwarded: the new one goes to the order's address, and the old one ends", async () => {
  const order = await anOrder();
  const replaced = await call("POST /orders/link/rotate", { body: { token: order.token } });
  expect([replaced.status, replaced.body.data]).toEqual([200, null]);
  const [letter] = received(order.email);
  const token = tokenIn(letter ?? { text: "" });
  expect(token).not.toBe(order.token);
  for (const path of ["link", "link/downloads", "link/rotate"]) {
    const body = { token: order.token, ...(path === "link/downloads" && { file_id: order.file.id }) };
    expect((await call(`POST /orders/${path}`, { body })).status, path).toBe(404);
  }
  expect((await linkOf(token, order.file)).status).toBe(200);
  expect((await open(token.replace(".1_", ".2_"))).status).toBe(404);
});

it("keeps the link if the address already got its e-mails of this hour, and limits how often one is replaced", async () => {
  const order = await anOrder();
  let { token } = order;
  const statuses = [];
  for (let i = 0; i < 4; i++) {
    statuses.push((await call("POST /orders/link/rotate", { body: { token } })).status);
    const [letter] = received(order.email);
    if (letter) token = tokenIn(letter);
  }
  expect(statuses).toEqual([200, 200, 200, 429]);
  expect((await open(token)).status).toBe(200);
});

it("shows the downloads on the page of the order, without script, and leads to the file", async () => {
  const order = await anOrder();
  const text = await aFile({ access: "package", content: "A short licence", fileName: "licence.txt" });
  await call(`PUT /admin/products/${order.items[0].product_id}`, {
    as: await asAdministrator(),
    body: { file_ids: [order.file.id, text.id] },
  });
  const visitor = aVisitor();
  const page = await visitor.get(`/account/order?token=${order.token}`);
  expect(page.html).toContain("2 of 2 downloads left");
  const sent = { token: [order.token], file_id: [String(order.file.id)] };
  const led = await visitor.post("/account/order/download", sent);
  expect([led.status, led.location]).toEqual([303, expect.stringContaining("/api/v1/user/downloads?token=")]);
  const ended = await visitor.post("/account/order/rotate", { token: [order.token] });
  expect(ended.html).toContain("A new link is on its way");
  expect((await visitor.get(`/account/order?token=${order.token}`)).status).toBe(404);
});
