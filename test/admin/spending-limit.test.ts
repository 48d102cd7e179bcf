import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { toDecimal } from "../../src/domain/money.ts";
import { staffSpending, transactions } from "../../src/platform/db/schema.ts";
import { call } from "../support/call.ts";
import { anImport, failuresOf, runJob } from "../support/jobs.ts";
import { aLicenseKey } from "../support/license-keys.ts";
import { ADDRESS, aFile, aKey, aProduct, aUser, db, onPurpose, orderOf, settings } from "../support/shop.ts";
import { placed } from "./orders/support.ts";

const LIMIT = toDecimal(settings.staffSpendingLimit);
const DAY_MS = 86_400_000;

const credit = async (as: string, amount: number, to?: { id: number }) =>
  call(`POST /admin/users/${(to ?? (await aUser({ wallet: 100_000 }))).id}/credit`, {
    as,
    body: { amount, reason: "Goodwill" },
  });

const refund = async (as: string, id: number, body: object = {}) =>
  call(`POST /admin/orders/${id}/refunds`, { as, body });

const spentBy = async (id: number) => {
  const rows = await db
    .select()
    .from(staffSpending)
    .where(eq(staffSpending.actor, `user:${id}`));
  return toDecimal(rows.reduce((sum, { amount }) => sum + amount, 0));
};

const moneyOf = (orderId: number) => db.select().from(transactions).where(eq(transactions.orderId, orderId));

describe("the daily limit on money moved by support", () => {
  it("is exact to the cent, with an error code of its own", async () => {
    const support = await aUser({ role: "support" });
    expect((await credit(support.token, LIMIT)).status).toBe(201);
    const customer = await aUser();
    const { status, body } = await credit(support.token, 0.01, customer);
    expect([status, body.code]).toEqual([409, "spending_limit"]);
    expect(body.details).toEqual([{ field: "amount", code: "spending_limit", limit: LIMIT, available: 0 }]);
    expect(body.message).toBe(
      "This counts 0.01 towards your limit of 200.00 in 24 hours, of which 0.00 is left. An administrator can do it",
    );
    expect(await db.select().from(transactions).where(eq(transactions.userId, customer.id))).toEqual([]);
    expect(await spentBy(support.id)).toBe(LIMIT);
  });

  it("adds up refunds, credits, debits, manual payments and cancellations", async () => {
    const support = await aUser({ role: "support" });
    const order = await placed({ price: 4000 });
    expect((await refund(support.token, order.id, { amount: 10 })).status).toBe(200);
    expect((await credit(support.token, 20)).status).toBe(201);
    expect((await credit(support.token, -30)).status).toBe(201);
    const unpaid = await placed({ price: 4000, method: "paypal" });
    const paid = await call(`PUT /admin/orders/${unpaid.id}`, { as: support.token, body: { payment_status: "paid" } });
    expect(paid.status).toBe(200);
    const cancelled = await call(`PUT /admin/orders/${order.id}`, { as: support.token, body: { status: "cancelled" } });
    expect(cancelled.status).toBe(200);
    const all = 10 + 20 + 30 + 40 + (40 - 10);
    expect(await spentBy(support.id)).toBe(all);
    expect((await credit(support.token, LIMIT - all + 0.01)).body.code).toBe("spending_limit");
    expect((await credit(support.token, LIMIT - all)).status).toBe(201);
  });

  it("cannot be exceeded by two simultaneous requests", async () => {
    const support = await aUser({ role: "support" });
    const answers = await Promise.all(Array.from({ length: 4 }, () => credit(support.token, LIMIT / 2)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    expect(await spentBy(support.id)).toBe(LIMIT);
  });

  it("leaves an order unchanged when its refund is refused", async () => {
    const support = await aUser({ role: "support" });
    await credit(support.token, LIMIT);
    const { id } = await placed();
    const before = await moneyOf(id);
    expect((await refund(support.token, id)).body.code).toBe("spending_limit");
    expect((await call(`PUT /admin/orders/${id}`, { as: support.token, body: { status: "refunded" } })).body.code).toBe(
      "spending_limit",
    );
    expect(await moneyOf(id)).toEqual(before);
    expect((await call(`PUT /admin/orders/${id}`, { as: support.token, body: { status: "completed" } })).status).toBe(
      200,
    );
  });

  it("resets after 24 hours, and not before", async () => {
    const support = await aUser({ role: "support" });
    await credit(support.token, LIMIT);
    const age = (ms: number) =>
      db
        .update(staffSpending)
        .set({ createdAt: Date.now() - ms })
        .where(eq(staffSpending.actor, `user:${support.id}`));
    await age(DAY_MS - 60_000);
    expect((await credit(support.token, 1)).status).toBe(409);
    await age(DAY_MS);
    expect((await credit(support.token, 1)).status).toBe(201);
  });

  it("counts a repeated request with one key once", async () => {
    const support = await aUser({ role: "support" });
    const { id } = await aUser();
    const sent = { as: support.token, body: { amount: 5, reason: "Gift" }, headers: { "Idempotency-Key": "spent" } };
    for (const _ of [1, 2]) expect((await call(`POST /admin/users/${id}/credit`, sent)).status).toBe(201);
    expect(await spentBy(support.id)).toBe(5);
  });

  it("applies to each person separately", async () => {
    const [one, other] = [await aUser({ role: "support" }), await aUser({ role: "support" })];
    await credit(one.token, LIMIT);
    expect((await credit(other.token, LIMIT)).status).toBe(201);
  });
});

it("does not apply to administrators, API keys, or staff who buy", async () => {
  const [admin, { key }] = [await aUser({ role: "admin" }), await aKey({ permissions: ["payments:write"] })];
  for (const as of [admin.token, key]) expect((await credit(as, LIMIT + 1)).status).toBe(201);
  const buyer = await aUser({ role: "support", wallet: 100_000 });
  const order = await call("POST /orders", { as: buyer.token, body: orderOf(await aProduct({ price: 30_000 })) });
  expect((await call(`POST /account/orders/${order.body.data.id}/cancel`, { as: buyer.token })).status).toBe(200);
});

it("counts an unpaid parcel that support say came back like one that stays away", async () => {
  const [support, admin] = [await aUser({ role: "support" }), await aUser({ role: "admin" })];
  await call("PUT /admin/payment-settings", { as: admin.token, body: { invoice: { offered: true } } });
  const sent = async (quantity: number) => {
    const { id } = await placed({ price: 5_000, quantity, method: "invoice" });
    const body = { status: "shipped", shipment: { carrier: "Post" } };
    expect((await call(`PUT /admin/orders/${id}`, { as: support.token, body })).status).toBe(200);
    return id;
  };
  const takeBack = async (as: string, id: number) =>
    call(`PUT /admin/orders/${id}`, { as, body: { status: "cancelled", restock: true } });
  expect((await takeBack(support.token, await sent(2))).status).toBe(200);
  expect(await spentBy(support.id)).toBe(100);
  const dear = await sent(3);
  expect((await takeBack(support.token, dear)).body.code).toBe("spending_limit");
  expect((await takeBack(admin.token, dear)).status).toBe(200);
});

describe("support who give away without an amount", () => {
  const grant = async (as: string, file_ids: number[]) =>
    call("POST /admin/packages", { as, body: { user_id: (await aUser()).id, name: "Gift", file_ids } });
  const aSoldFile = async (price: number) => {
    const file = await aFile({ access: "package" });
    await aProduct({ type: "digital", stock: null, price, fileIds: [file.id] });
    return file.id;
  };

  it("count the price of the files that they grant and add", async () => {
    const support = await aUser({ role: "support" });
    const [file, dear, free] = [await aSoldFile(3_000), await aSoldFile(18_000), await aFile({ access: "package" })];
    const granted = await grant(support.token, [file, free.id]);
    expect([granted.status, await spentBy(support.id)]).toEqual([201, 30]);
    const path = `PUT /admin/packages/${granted.body.data.id}`;
    const refused = await call(path, { as: support.token, body: { file_ids: [file, dear] } });
    expect([refused.status, refused.body.code]).toEqual([409, "spending_limit"]);
    expect((await call(path, { as: support.token, body: { file_ids: [free.id, file], name: "Renamed" } })).status).toBe(
      200,
    );
    expect(await spentBy(support.id)).toBe(30);
    expect((await grant(support.token, [dear])).body.code).toBe("spending_limit");
    const admin = await aUser({ role: "admin" });
    expect((await grant(admin.token, [dear])).status).toBe(201);
  });

  it("count the price of a product whose license key they extend", async () => {
    const { id } = await aLicenseKey();
    const support = await aUser({ role: "support" });
    const change = async (body: object) => {
      const { status } = await call(`PUT /admin/license-keys/${id}`, { as: support.token, body });
      return [status, await spentBy(support.id)];
    };
    expect(await change({ activation_limit: 3 })).toEqual([200, 5]);
    expect(await change({ updates_until: null })).toEqual([200, 10]);
    expect(await change({ activation_limit: 2, expires_at: "2040-01-31" })).toEqual([200, 10]);
    expect(await change({ expires_at: "2041-01-31" })).toEqual([200, 15]);
  });

  it("count more devices as more keys, in many small steps as in a large one", async () => {
    const { id } = await aLicenseKey();
    const support = await aUser({ role: "support" });
    for (const activation_limit of [4, 8, 16]) {
      const { status } = await call(`PUT /admin/license-keys/${id}`, { as: support.token, body: { activation_limit } });
      expect(status).toBe(200);
    }
    expect(await spentBy(support.id)).toBe(5 * (16 / 2 - 1));
  });

  it("count the files of a package that they extend or exchange", async () => {
    const [support, admin] = [await aUser({ role: "support" }), await aUser({ role: "admin" })];
    const [file, other] = [await aSoldFile(1_000), await aSoldFile(1_000)];
    const given = {
      user_id: (await aUser()).id,
      name: "Month",
      file_ids: [file],
      download_limit: 5,
      expires_at: "2040-01-31",
    };
    const { id } = (await call("POST /admin/packages", { as: admin.token, body: given })).body.data;
    const change = async (body: object) => {
      const { status } = await call(`PUT /admin/packages/${id}`, { as: support.token, body });
      return [status, await spentBy(support.id)];
    };
    expect(await change({ name: "A month", download_limit: 4, expires_at: "2040-01-30" })).toEqual([200, 0]);
    expect(await change({ expires_at: "2041-01-31" })).toEqual([200, 10]);
    expect(await change({ download_limit: null })).toEqual([200, 20]);
    expect(await change({ file_ids: [other] })).toEqual([200, 30]);
    expect(await change({ file_ids: [other, file], expires_at: null })).toEqual([200, 50]);
  });

  it("count the value of gift cards that they issue", async () => {
    const support = await aUser({ role: "support" });
    const issue = (value: number) =>
      call("POST /admin/gift-cards", { as: support.token, body: { value, reason: "Goodwill" }, headers: onPurpose() });
    expect([(await issue(30)).status, await spentBy(support.id)]).toEqual([201, 30]);
    expect((await issue(LIMIT - 29.99)).body.code).toBe("spending_limit");
  });

  it("cannot exempt an account from tax, and can end its exemption", async () => {
    const [{ token: as }, { id }, exempt] = [
      await aUser({ role: "support" }),
      await aUser(),
      await aUser({ taxExemptReason: "Reseller" }),
    ];
    const body = { tax_exempt_reason: "Reseller" };
    const refused = await call(`PUT /admin/users/${id}`, { as, body });
    expect([refused.status, refused.body.details[0].field]).toEqual([403, "tax_exempt_reason"]);
    const added = await call("POST /admin/users", { as, body: { name: "Ada", email: "exempt@shop.test", ...body } });
    expect([added.status, added.body.code]).toEqual([403, "administrators_only"]);
    expect((await call(`PUT /admin/users/${exempt.id}`, { as, body: { ...body, name: "Ada" } })).status).toBe(200);
    const ended = await call(`PUT /admin/users/${exempt.id}`, { as, body: { tax_exempt_reason: null } });
    expect(ended.status).toBe(200);
  });

  it("cannot exempt accounts by importing a file, nor by undoing another's import", async () => {
    const [{ token: as }, { token: admin }] = [await aUser({ role: "support" }), await aUser({ role: "admin" })];
    const [taxed, exempt] = [await aUser({ name: "Taxed" }), await aUser({ taxExemptReason: "Charity" })];
    const accountOf = async ({ id }: { id: number }) => (await call(`GET /admin/users/${id}`, { as: admin })).body.data;
    const csv = (email: string, reason: string) => `email,name,tax_exempt_reason\n${email},Ada,${reason}\n`;
    const { email } = await accountOf(taxed);
    const readOnly = { field: "tax_exempt_reason", code: "read_only" };
    for (const address of [email, "imported@shop.test"]) {
      const done = await anImport(csv(address, "Reseller"), { as, resource: "customers" });
      expect(done).toMatchObject({ state: "completed", to_create: 0, to_update: 0, failed: 1 });
      expect(await failuresOf(done.check_job_id, as)).toMatchObject([readOnly]);
      expect(await failuresOf(done.job_id, as)).toMatchObject([readOnly]);
    }
    expect(await accountOf(taxed)).toMatchObject({ name: "Taxed", tax_exempt_reason: null });
    const ended = await anImport(csv((await accountOf(exempt)).email, ""), { as: admin, resource: "customers" });
    const undo = async (by: string) => {
      const { id } = (await call(`POST /admin/jobs/${ended.job_id}/undo`, { as: by, body: {} })).body.data;
      await runJob(id);
      return failuresOf(id, as);
    };
    expect(await undo(as)).toMatchObject([{ subject_id: exempt.id, code: "read_only" }]);
    expect(await accountOf(exempt)).toMatchObject({ tax_exempt_reason: null });
    const byAdmin = await anImport(csv(email, "Reseller"), { as: admin, resource: "customers" });
    expect([byAdmin.failed, (await accountOf(taxed)).tax_exempt_reason]).toEqual([0, "Reseller"]);
  });

  it.each([
    ["country", { country: "NO" }],
    ["region", { region: "Kent" }],
  ])("correct addresses, but send nothing to another %s at the old price", async (part, moved) => {
    const [{ token: as }, { id }] = [await aUser({ role: "support" }), await placed()];
    for (const name of ["shipping_address", "billing_address"]) {
      const correct = (address: object) => call(`PUT /admin/orders/${id}`, { as, body: { [name]: address } });
      expect((await correct({ ...ADDRESS, city: "Bath" })).status).toBe(200);
      const refused = await correct({ ...ADDRESS, ...moved });
      expect([refused.status, refused.body.details[0].field]).toEqual([400, `${name}.${part}`]);
    }
    const { total: expected_total } = (await call(`GET /admin/orders/${id}`, { as })).body.data;
    const edit = { shipping_address: { ...ADDRESS, ...moved }, expected_total };
    const edited = await call(`POST /admin/orders/${id}/edits`, { as, body: edit });
    expect([edited.status, edited.body.details ?? null]).toEqual([200, null]);
  });
});
