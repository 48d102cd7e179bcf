import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { packages, returnLines, returns } from "../../../src/platform/db/schema.ts";
import { aSendingShop } from "../../support/emails.ts";
import { LICENSE } from "../../support/license-keys.ts";
import { noRules, settleShop } from "../../support/pricing.ts";
import { asAdministrator } from "../../support/settings.ts";
import { aFile, aProduct, aUser, db, onPurpose } from "../../support/shop.ts";

const { call, received } = aSendingShop();

type Goods = Awaited<ReturnType<typeof aProduct>>;

beforeEach(async () => {
  await noRules();
  await settleShop({ homeCountry: "DE", withdrawalDays: null });
});

/** A completed order of one unit of each product. */
async function anOrder(goods: Goods[], more: object = {}) {
  const buyer = await aUser({ wallet: 100_000 });
  const items = goods.map(({ id, price }) => ({ product_id: id, quantity: 1, price: price / 100 }));
  const body = { items, payment_method: "wallet", ...more };
  const { status, body: answer } = await call("POST /orders", { as: buyer.token, body, headers: onPurpose() });
  expect([status, answer.errors]).toEqual([201, undefined]);
  const { id, number, items: lines } = answer.data;
  return { id: Number(id), number: String(number), lines, buyer };
}

type Order = Awaited<ReturnType<typeof anOrder>>;

const service = (name: string, columns: object = {}) =>
  aProduct({ name, type: "service", requiresShipping: false, ...columns });

const withdraw = ({ number, buyer }: Order) =>
  call("POST /withdrawals", { body: { name: "Ada", email: buyer.email, order: number } });

const linesOfReturns = ({ id }: Order) =>
  db
    .select({ line: returnLines.orderItemId })
    .from(returnLines)
    .innerJoin(returns, eq(returns.id, returnLines.returnId))
    .where(eq(returns.orderId, id));

const receiptOf = ({ buyer }: Order) =>
  received(buyer.email).find(({ subject }) => subject.includes("withdrawal"))?.text ?? "";

describe("an exempt line", () => {
  it("is left out of a withdrawal, whose receipt says why", async () => {
    const order = await anOrder([await service("Lamp"), await service("Roses", { withdrawal: "perishable" })]);
    expect(order.lines.map(({ withdrawal }: { withdrawal: string }) => withdrawal)).toEqual(["standard", "perishable"]);
    expect((await withdraw(order)).status).toBe(200);
    expect(await linesOfReturns(order)).toEqual([{ line: order.lines[0].id }]);
    const receipt = receiptOf(order);
    expect(receipt.slice(receipt.indexOf("The law exempts"))).toMatch(/1 × Roses[\s\S]*perishable/);
  });

  it("alone is recorded without units, and acknowledged like any other", async () => {
    const order = await anOrder([await service("Portrait", { withdrawal: "personalized" })]);
    const other = await anOrder([await service("Lamp")]);
    const [exempt, usual] = [await withdraw(order), await withdraw(other)];
    expect([exempt.status, exempt.body.message]).toEqual([usual.status, usual.body.message]);
    expect(await linesOfReturns(order)).toEqual([]);
    const receipt = receiptOf(order);
    for (const part of ["made to your specifications", "Name: Ada", "Withdrawn from: the whole order"]) {
      expect(receipt).toContain(part);
    }
    expect(receiptOf(other)).not.toContain("The law exempts");
  });

  it("cannot be returned by its buyer, but by staff", async () => {
    const order = await anOrder([await service("Weekly", { withdrawal: "periodical" })]);
    const path = `POST /account/orders/${order.id}/returns`;
    const items = [{ id: order.lines[0].id, quantity: 1 }];
    for (const body of [{}, { items }]) {
      const refused = await call(path, { as: order.buyer.token, body });
      expect([refused.status, refused.body.code]).toEqual([400, "exceeds_returnable"]);
      expect(JSON.stringify(refused.body.errors)).toMatch(
        /are exempt from withdrawal and returns|a newspaper or periodical/,
      );
    }
    const as = await asAdministrator();
    expect((await call(`POST /admin/orders/${order.id}/returns`, { as, body: { items } })).status).toBe(201);
  });

  it("is refused by the database too", async () => {
    const order = await anOrder([await service("Concert", { withdrawal: "dated_service" })]);
    const insert = async (requestedBy: "customer" | "withdrawal" | "staff") => {
      const row = { orderId: order.id, status: "requested", requestedBy, createdAt: 1, updatedAt: 1 } as const;
      const [made] = await db.insert(returns).values(row).returning();
      await db.insert(returnLines).values({ returnId: made?.id ?? 0, orderItemId: order.lines[0].id, quantity: 1 });
    };
    await expect(insert("customer")).rejects.toThrow();
    await expect(insert("withdrawal")).rejects.toThrow();
    await insert("staff");
  });
});

it("lets buyers withdraw from sealed goods, whose seal only the shop can see", async () => {
  const order = await anOrder([await service("Earphones", { withdrawal: "sealed" })]);
  await withdraw(order);
  expect(await linesOfReturns(order)).toHaveLength(1);
});

describe("a download", () => {
  const aDownload = async () =>
    aProduct({ name: "Atlas", type: "digital", requiresShipping: false, fileIds: [(await aFile()).id] });

  const use = (order: Order) => db.update(packages).set({ downloadsUsed: 1 }).where(eq(packages.orderId, order.id));

  const lineOf = async ({ id, buyer }: Order) =>
    (await call(`GET /account/orders/${id}`, { as: buyer.token })).body.data.items[0].withdrawal;

  it("is exempt once it began with the buyer's consent, which the confirmation repeats", async () => {
    const order = await anOrder([await aDownload()], { download_consent: true });
    const confirmation = received(order.buyer.email).map(({ text }) => text);
    expect(confirmation.join()).toContain("you lose your right of withdrawal");
    expect(await lineOf(order)).toBe("standard");
    await use(order);
    expect(await lineOf(order)).toBe("download_begun");
    await withdraw(order);
    expect(await linesOfReturns(order)).toEqual([]);
    expect(receiptOf(order)).toContain("a download that began with your consent");
  });

  it("is also a license key, which begins with its first device", async () => {
    const font = await aProduct({ name: "Sans", type: "digital", requiresShipping: false, license: LICENSE });
    const box = await aProduct({ name: "Boxed Sans", license: LICENSE });
    const as = (await aUser()).token;
    const asked = async ({ id }: Goods) => {
      const body = { items: [{ product_id: id, quantity: 1 }] };
      return (await call("POST /checkout/quote", { as, body })).body.data.asks_download_consent;
    };
    expect([await asked(font), await asked(box)]).toEqual([true, false]);
    const order = await anOrder([font], { download_consent: true });
    expect(await lineOf(order)).toBe("standard");
    const [{ key }] = (await call("GET /account/license-keys", { as: order.buyer.token })).body.data;
    await call("POST /licenses/activate", { body: { license_key: key, instance_name: "Mac" } });
    expect(await lineOf(order)).toBe("download_begun");
    await withdraw(order);
    expect(await linesOfReturns(order)).toEqual([]);
  });

  it("can be withdrawn from before it began, and without consent afterwards too", async () => {
    const unused = await anOrder([await aDownload()], { download_consent: true });
    await withdraw(unused);
    expect(await linesOfReturns(unused)).toHaveLength(1);
    const unasked = await anOrder([await aDownload()]);
    await use(unasked);
    await withdraw(unasked);
    expect(await linesOfReturns(unasked)).toHaveLength(1);
    expect(
      received(unasked.buyer.email)
        .map(({ text }) => text)
        .join(),
    ).not.toContain("lose your right");
  });

  it("is asked for by the quote if the shop offers withdrawal", async () => {
    const { token: as } = await aUser();
    const asks = async ({ id }: Goods) => {
      const body = { items: [{ product_id: id, quantity: 1 }] };
      return (await call("POST /checkout/quote", { as, body })).body.data.asks_download_consent;
    };
    const [atlas, lamp] = [await aDownload(), await service("Lamp")];
    expect([await asks(atlas), await asks(lamp)]).toEqual([true, false]);
    await settleShop({ withdrawalDays: 0 });
    expect(await asks(atlas)).toBe(false);
  });
});
