import { env } from "cloudflare:workers";
import { and, eq, isNotNull } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eraseDueAccounts } from "../../src/accounts/personal-data/erase-due.ts";
import { toDecimal } from "../../src/domain/money.ts";
import { auditLog, orders, users, vatChecks } from "../../src/platform/db/schema.ts";
import { everyMinute } from "../../src/scheduled.ts";
import { accountNow, anAccount, PASSWORD } from "../support/accounts.ts";
import { administration } from "../support/administration.ts";
import { call } from "../support/call.ts";
import { brokenInvariants } from "../support/invariants.ts";
import { anImport } from "../support/jobs.ts";
import { LICENSE } from "../support/license-keys.ts";
import { objectIds, placesOf } from "../support/search-tables.ts";
import { ADDRESS, aFile, aKey, aPackage, aProduct, aUser, db, orderOf } from "../support/shop.ts";
import { aPerson, type Person, salesAndLedger } from "./person.ts";

const older = await objectIds();

const DAY_MS = 86_400_000;
const DUE = () => Date.now() + 8 * DAY_MS;
const erasePeople = (now = DUE()) => eraseDueAccounts(env, db, now);

const { admin } = administration();

const erase = (as: string, current_password = PASSWORD) => call("DELETE /account", { as, body: { current_password } });

/** Account fields that an import ignores. */
const NOT_IMPORTED = {
  ...{
    email_verified_at: null,
    pending_email: null,
    wallet_balance: 0,
    wallet_locked_until: null,
    currency: "EUR",
    erase_at: null,
  },
  order_count: 0,
};

/** A customer who buys, receives a shipment, gets a refund and changes their address: data in all tables. */
async function live({ id, token, name, email, street }: Person) {
  const product = await aProduct();
  await call(`POST /admin/users/${id}/credit`, { as: admin.token, body: { amount: 100, reason: `For ${name}` } });
  await call(`PUT /admin/users/${id}`, { as: admin.token, body: { tax_exempt_reason: `VAT number of ${name}` } });
  const shipping_address = { ...ADDRESS, name, address: street };
  const { body: kept } = await call("POST /account/addresses", { as: token, body: shipping_address });
  const body = orderOf(product, 2, { shipping_address, billing_address_id: kept.data.id });
  const order = await call("POST /orders", {
    as: token,
    body: {
      ...body,
      items: body.items.map((item) => ({ ...item, metadata: { engraving: `To ${name}` } })),
      metadata: { gift_from: name },
      note: `Ring twice at ${name}'s`,
    },
    headers: { "Idempotency-Key": `o-${id}` },
  });
  const line = order.body.data.items[0].id;
  const path = `/admin/orders/${order.body.data.id}`;
  const engraved = {
    items: [{ id: line, metadata: { engraving: `With love to ${name}` } }],
    metadata: { gift_from: `${name}'s friends` },
  };
  await call(`PUT ${path}`, { as: admin.token, body: engraved });
  await call(`PUT ${path}`, {
    as: admin.token,
    body: { shipping_address: { ...shipping_address, city: `Near ${street}` }, note: `Asked by ${email}` },
  });
  await call(`POST ${path}/refunds`, {
    as: admin.token,
    body: { items: [{ id: line, quantity: 1 }], note: `Sorry, ${name}` },
  });
  const shipment = {
    carrier: "Post",
    tracking_number: "T1",
    tracking_url: `https://post.example/?to=${encodeURIComponent(email)}`,
  };
  await call(`PUT ${path}`, { as: admin.token, body: { status: "shipped", shipment } });
  const returned = await call(`POST /account/orders/${order.body.data.id}/returns`, {
    as: token,
    body: { reason: `${name} changed their mind` },
  });
  const texts = { carrier: `Brought by ${name}`, decline_reason: `${name} wore it` };
  await call(`PUT /admin/returns/${returned.body.data.id}`, {
    as: admin.token,
    body: { status: "declined", ...texts },
  });
  const items = [{ product_id: product.id, quantity: 1 }];
  const prepared = { user_id: id, items, shipping_address, payment_method: "cash", note: `For ${name}` };
  const draft = await call("POST /admin/draft-orders", { as: admin.token, body: prepared });
  await call(`POST /admin/draft-orders/${draft.body.data.id}/send`, { as: admin.token, body: {} });
  const placed = await call("POST /admin/orders", { as: admin.token, body: { ...prepared, paid: true } });
  const exempt = { tax_exempt_reason: `Exempt like ${name}`, expected_total: placed.body.data.total };
  await call(`POST /admin/orders/${placed.body.data.id}/edits`, { as: admin.token, body: exempt });
  await call(`PUT /admin/orders/${placed.body.data.id}`, { as: admin.token, body: { status: "completed" } });
  // A sole trader's VAT ID is registered in the person's name.
  const vatId = `FR40${id}`;
  const check = { vatId, status: "valid", name: name.toUpperCase(), checkedAt: Date.now() } as const;
  await db.insert(vatChecks).values({ ...check, requester: "DE123456789" });
  await db
    .update(orders)
    .set({ vatCheck: { ...check, consultationNumber: "W1" } })
    .where(eq(orders.userId, id));
  const more = await call("POST /orders", { as: token, body: orderOf(product, 1, { shipping_address }) });
  const change = { status: "shipped", shipment: { carrier: "Post" }, note: `${name} asked for all at once` };
  await call("POST /admin/orders/bulk-actions", { as: admin.token, body: { ids: [more.body.data.id], change } });
  await call(`PUT /admin/users/${id}`, { as: admin.token, body: { name: `${name} the Elder` } });
  const views = [
    { list: "orders", name: "Asks often", filters: { search: `${email} 2026` } },
    { list: "users", name: `Found by ${email.toUpperCase()}`, filters: { search: "a friend" } },
  ];
  for (const view of views) await call("POST /admin/saved-views", { as: admin.token, body: view });
  await anImport(JSON.stringify({ ...NOT_IMPORTED, email, name: `${name} the Younger`, company: `${name} and Sons` }), {
    as: admin.token,
    resource: "customers",
    name: "customers.ndjson",
  });
  await call("PUT /account/profile", { as: token, body: { name, company: null } });
  await call("POST /cart", { as: token, body: { product_id: product.id } });
  const grant = { user_id: id, name: `For ${name}`, file_ids: [(await aFile()).id] };
  await call("POST /admin/packages", { as: admin.token, body: grant });
  await aPackage(id, [(await aFile()).id]);
  const font = await aProduct({ type: "digital", stock: null, price: 0, license: LICENSE });
  await call("POST /orders", { as: token, body: orderOf(font) });
  const [{ key: license_key }] = (await call("GET /account/license-keys", { as: token })).body.data;
  await call("POST /licenses/activate", { body: { license_key, instance_name: `${name}'s laptop` } });
  const balance = toDecimal((await accountNow(id)).walletBalance);
  await call(`POST /admin/users/${id}/credit`, {
    as: admin.token,
    body: { amount: -balance, reason: `Paid out to ${email}` },
  });
}

/** A customer who spent all of their wallet on an order, which was shipped. */
async function buys({ id, token, name, street }: Person) {
  const as = admin.token;
  await call(`POST /admin/users/${id}/credit`, { as, body: { amount: 10, reason: `For ${name}` } });
  const body = orderOf(await aProduct(), 1, { shipping_address: { ...ADDRESS, name, address: street } });
  const { id: order } = (await call("POST /orders", { as: token, body })).body.data;
  const shipment = { carrier: "Post" };
  const { status } = await call(`PUT /admin/orders/${order}`, { as, body: { status: "shipped", shipment } });
  expect(status).toBe(200);
}

/** Hashes of a person's orders. They do not contain the searched words, but could confirm a guessed address. */
const fingerprintsOf = ({ id }: Person) =>
  db
    .select({ fingerprint: orders.fingerprint })
    .from(orders)
    .where(and(eq(orders.userId, id), isNotNull(orders.fingerprint)));

describe("an erased account", () => {
  it("leaves no byte of its owner anywhere, and every order, total and ledger row", async () => {
    const person = await aPerson();
    await live(person);
    expect(await placesOf(person.needles, older)).toEqual(
      expect.arrayContaining([
        "users",
        "orders",
        "order_items",
        "returns",
        "audit_log",
        "transactions",
        "users_search_data",
        "orders_search_data",
        "idempotency_keys",
        "imports",
        "job_changes",
        "jobs",
        "license_activations",
        "saved_views",
      ]),
    );
    const other = { list: "users", name: "Others", filters: { search: "feather" } };
    await call("POST /admin/saved-views", { as: admin.token, body: other });
    expect((await erase(person.token)).status).toBe(200);
    expect(await fingerprintsOf(person)).not.toEqual([]);
    const before = await salesAndLedger(person.id);
    await everyMinute(env, DUE());
    expect(await placesOf(person.needles, older)).toEqual([]);
    expect(await fingerprintsOf(person)).toEqual([]);
    expect(await salesAndLedger(person.id)).toEqual(before);
    expect(await env.DB.prepare("SELECT * FROM ledger_mismatches").all()).toMatchObject({ results: [] });
    expect(await brokenInvariants()).toEqual({});
    expect((await call("GET /admin/saved-views", { as: admin.token })).body.data).toMatchObject([
      { list: "users", name: expect.stringMatching(/^View [0-9a-f]{8}$/), filters: { search: "a friend" } },
      other,
    ]);
    expect(await accountNow(person.id)).toMatchObject({
      name: "Erased account",
      email: expect.stringMatching(/^erased-[0-9a-f-]{36}@erased\.invalid$/),
    });
  });

  it("leaves views that contain its owner's name for another reason", async () => {
    const { token: as } = await aUser({ role: "admin" });
    const views = [
      { list: "orders", name: "To be sent", filters: { status: "processing" } },
      { list: "products", name: "Anything", filters: { search: "processing" } },
    ];
    for (const body of views) await call("POST /admin/saved-views", { as, body });
    const owner = await aPerson();
    await call("PUT /account/profile", { as: owner.token, body: { name: "Processing" } });
    await erase(owner.token);
    await erasePeople();
    expect((await accountNow(owner.id)).name).toBe("Erased account");
    expect((await call("GET /admin/saved-views", { as })).body.data).toMatchObject(views);
  });

  it("leaves others' saved views, whatever its owner was called", async () => {
    const hostile = [
      "orders",
      "a",
      "%",
      "_",
      "*",
      '"',
      "'",
      "{}",
      "[]",
      '{"search":"orders"}',
      "$.search",
      "null",
      "users",
      "unpaid orders",
      "new customers",
      "a b",
      "100% off",
      "' OR 1=1 --",
      '"unpaid" OR "orders"',
      "status = pending",
      " unpaid  orders ",
    ];
    const staff = [await aUser({ role: "admin" }), await aUser({ role: "admin" })];
    const views = hostile.flatMap((word, n) => [
      { list: "orders", name: `Looks for ${n}`, filters: { search: `${word} orders` } },
      { list: "users", name: `${word} view ${n}`, filters: { search: word } },
    ]);
    for (const [n, body] of views.entries()) {
      const as = staff[n < views.length / 2 ? 0 : 1]?.token;
      expect((await call("POST /admin/saved-views", { as, body })).status).toBe(201);
    }
    const owners = JSON.stringify(staff.map(({ id }) => id));
    const all = () =>
      env.DB.prepare("SELECT * FROM saved_views WHERE user_id IN (SELECT value FROM json_each(?)) ORDER BY id")
        .bind(owners)
        .all();
    const before = (await all()).results;
    expect(before).toHaveLength(views.length);
    const names = [...hostile, ...fc.sample(fc.string({ minLength: 1, maxLength: 40 }), 10)];
    const customers = [];
    for (const name of names) {
      const { id: customer, token } = await anAccount();
      await db.update(users).set({ name }).where(eq(users.id, customer));
      await erase(token);
      customers.push(customer);
    }
    for (let erased = 0; erased < customers.length; erased += 20) await erasePeople();
    for (const customer of customers) expect((await accountNow(customer)).name).toBe("Erased account");
    expect((await all()).results).toEqual(before);
  });

  it("is erased along with forty accounts whose addresses look erased", async () => {
    const person = await aPerson();
    await erase(person.token);
    for (let n = 0; n < 40; n++) {
      const { id } = await anAccount();
      await db
        .update(users)
        .set({ email: `erased-${person.id + n}@erased.invalid` })
        .where(eq(users.id, id));
    }
    await erasePeople();
    expect((await accountNow(person.id)).name).toBe("Erased account");
  });

  it("lets nobody in, and stays erased", async () => {
    const person = await aPerson();
    await erase(person.token);
    const again = await call("POST /auth/login", { body: { email: person.email, password: PASSWORD } });
    await erasePeople();
    expect((await call("GET /account/profile", { as: again.body.data.token })).status).toBe(401);
    for (const email of [person.email, (await accountNow(person.id)).email]) {
      expect((await call("POST /auth/login", { body: { email, password: PASSWORD } })).status).toBe(401);
    }
    const path = `/admin/users/${person.id}`;
    for (const line of [`POST ${path}/restore`, `DELETE ${path}`]) {
      const { status, body } = await call(line, { as: admin.token });
      expect([line, status, body.code]).toEqual([line, 409, "account_erased"]);
    }
    for (const body of [
      { name: "Back again" },
      { disabled: false },
      { password: "a new password" },
      { tags: ["VIP"] },
      { external_id: `crm-${person.id}` },
      { tax_exempt_reason: "Reseller" },
    ]) {
      expect((await call(`PUT ${path}`, { as: admin.token, body })).body.code).toBe("account_erased");
    }
    expect(
      (await call("POST /auth/signup", { body: { email: person.email, name: "New", password: PASSWORD } })).status,
    ).toBe(201);
  });

  it("is still found by its orders, and an order may be refunded to its unowned wallet", async () => {
    const person = await aPerson();
    await buys(person);
    await erase(person.token);
    await erasePeople();
    const { body } = await call(`GET /admin/orders?user_id=${person.id}`, { as: admin.token });
    expect(body.data[0]).toMatchObject({
      customer: { id: person.id, email: null, name: null },
      shipping_address: null,
      shipments: [],
    });
    const refund = await call(`POST /admin/orders/${body.data[0].id}/refunds`, { as: admin.token, body: {} });
    expect(refund.status).toBe(200);
    expect(await brokenInvariants()).toEqual({});
  });

  it("leaves others with the same name in the search of orders", async () => {
    const person = await aPerson();
    await buys(person);
    const { key } = await aKey();
    const customer = { email: person.email, name: person.name };
    const guest = await call("POST /orders", {
      as: key,
      body: orderOf(await aProduct(), 1, { customer, payment_method: "paypal" }),
    });
    expect(guest.status).toBe(201);
    await erase(person.token);
    await erasePeople();
    const found = await call(`GET /admin/orders?search=${person.surname}`, { as: admin.token });
    expect(found.body.data.map(({ id }: { id: number }) => id)).toEqual([guest.body.data.id]);
  });

  it("is named in the audit log, without a byte of its owner", async () => {
    const person = await aPerson();
    await erase(person.token);
    await erasePeople();
    const entries = await db.select().from(auditLog).where(eq(auditLog.subjectId, person.id));
    expect(entries.at(-1)).toMatchObject({ actor: "system", action: "user.erased", before: null, after: null });
  });
});

describe("an erasure", () => {
  it("removes the password, ends every session, and is undone within seven days by signing in again", async () => {
    const person = await aPerson();
    expect((await erase(person.token, "another password")).body.details).toEqual([
      { field: "current_password", code: "wrong_password" },
    ]);
    const { body } = await erase(person.token);
    const eraseAt = Date.parse(body.data.erase_at);
    expect(Math.round((eraseAt - Date.now()) / DAY_MS)).toBe(7);
    expect(body.data.undo).toContain("POST /api/v1/user/account/restore");
    expect((await call("GET /account/profile", { as: person.token })).status).toBe(401);

    await erasePeople(eraseAt - 1);
    const login = await call("POST /auth/login", { body: { email: person.email, password: PASSWORD } });
    const as = login.body.data.token;
    expect((await call("GET /account/profile", { as })).body.data.erase_at).toBe(body.data.erase_at);
    expect((await call("POST /account/restore", { as })).body.data).toEqual({ erase_at: null, undo: null });
    await erasePeople();
    expect((await accountNow(person.id)).name).toBe(person.name);
  });

  it("that is requested twice keeps its first due date", async () => {
    const person = await aPerson();
    const first = await erase(person.token);
    const login = await call("POST /auth/login", { body: { email: person.email, password: PASSWORD } });
    expect((await erase(login.body.data.token)).body.data).toEqual(first.body.data);
  });

  it.each<[string, string, (id: number, token: string) => Promise<unknown>]>([
    [
      "money in its wallet",
      "wallet_not_empty",
      (id) => call(`POST /admin/users/${id}/credit`, { as: admin.token, body: { amount: 1, reason: "Gift" } }),
    ],
    [
      "an order that is not paid",
      "orders_open",
      async (_, token) =>
        call("POST /orders", { as: token, body: orderOf(await aProduct(), 1, { payment_method: "paypal" }) }),
    ],
  ])("is refused to an account with %s, and postponed if that comes later", async (_, code, owe) => {
    const [owed, later] = [await aPerson(), await aPerson()];
    await owe(owed.id, owed.token);
    const { status, body } = await erase(owed.token);
    expect([status, body.code]).toEqual([409, code]);
    expect((await call("GET /account/profile", { as: owed.token })).status).toBe(200);

    await erase(later.token);
    const login = await call("POST /auth/login", { body: { email: later.email, password: PASSWORD } });
    await owe(later.id, login.body.data.token);
    await db
      .update(orders)
      .set({ expiresAt: DUE() * 2 })
      .where(eq(orders.userId, later.id));
    await erasePeople();
    expect((await accountNow(later.id)).name).toBe(later.name);
  });

  it("is refused to staff until their role is removed", async () => {
    const staff = await anAccount({ role: "viewer" });
    const { status, body } = await erase(staff.token);
    expect([status, body.code]).toEqual([409, "staff_cannot_be_erased"]);
    expect((await call(`DELETE /admin/users/${staff.id}`, { as: admin.token })).body.code).toBe(
      "staff_cannot_be_erased",
    );
    await call(`PUT /admin/users/${staff.id}`, { as: admin.token, body: { role: "customer" } });
    expect((await call(`DELETE /admin/users/${staff.id}`, { as: admin.token })).status).toBe(200);
  });

  it("is requested and undone by administrators, and audited without a byte of the person", async () => {
    const person = await aPerson();
    const path = `/admin/users/${person.id}`;
    expect((await call(`DELETE ${path}`, { as: admin.token })).body.data.erase_at).toEqual(expect.any(String));
    expect((await call("GET /account/profile", { as: person.token })).status).toBe(401);
    expect((await call(`POST ${path}/restore`, { as: admin.token })).body.data.erase_at).toBeNull();
    const entries = await db
      .select()
      .from(auditLog)
      .where(eq(auditLog.actor, `user:${admin.id}`));
    const latest = entries.filter(({ subjectId }) => subjectId === person.id);
    expect(latest.map(({ action, before, after }) => [action, before, after])).toEqual([
      ["user.erase", null, null],
      ["user.restore", null, null],
    ]);
  });
});

describe("the database", () => {
  const refused = (query: string, ...values: unknown[]) =>
    expect(
      env.DB.prepare(query)
        .bind(...values)
        .run(),
    ).rejects.toThrow(/SQLITE_CONSTRAINT/);

  it("erases nobody before the seven days are over, and only with a complete wait", async () => {
    const { id } = await aUser();
    await refused("UPDATE users SET erased_at = ? WHERE id = ?", DUE(), id);
    await refused("UPDATE users SET erase_at = updated_at + 604799999 WHERE id = ?", id);
    await env.DB.prepare("UPDATE users SET erase_at = updated_at + 604800000 WHERE id = ?").bind(id).run();
    await refused("UPDATE users SET erased_at = erase_at - 1 WHERE id = ?", id);
  });

  it("lets an erasure change only its own columns of the ledger, the audit log and orders", async () => {
    const person = await aPerson();
    await buys(person);
    const mine = "WHERE user_id = ?";
    const audited = "WHERE subject = 'user' AND subject_id = ?";
    await refused(`UPDATE transactions SET note = NULL ${mine}`, person.id);
    await refused(`UPDATE audit_log SET before = NULL, after = NULL ${audited}`, person.id);
    await refused(`UPDATE audit_log SET address = NULL ${audited}`, person.id);
    await erase(person.token);
    await erasePeople();
    for (const change of [
      "note = 'x'",
      "amount = 1",
      "kind = 'credit'",
      "order_id = NULL",
      "created_at = 1",
      "balance_after = 1",
    ]) {
      await refused(`UPDATE transactions SET ${change} ${mine}`, person.id);
    }
    for (const change of [
      "action = 'x'",
      "actor = 'x'",
      "at = 1",
      "after = '{}'",
      "address = '192.0.2.1'",
      "request_id = 'x'",
    ]) {
      await refused(`UPDATE audit_log SET ${change} ${audited}`, person.id);
    }
    await refused(`UPDATE audit_log SET after = '{"status":"paid"}' WHERE subject = 'order' AND after IS NOT NULL`);
    await refused(`UPDATE orders SET customer_name = 'Somebody' ${mine}`, person.id);
    await refused("UPDATE users SET email = 'back@shop.test' WHERE id = ?", person.id);
  });
});

it("clears addresses in the audit log once they are old, and nothing else of an entry", async () => {
  const { id } = await aUser();
  const old = {
    at: Date.now() - 100 * DAY_MS,
    actor: `user:${admin.id}`,
    address: "192.0.2.55",
    action: "user.x",
    subject: "user",
    subjectId: id,
    after: { name: "Kept" },
    requestId: "r",
  };
  await db.insert(auditLog).values([old, { ...old, at: Date.now() - 80 * DAY_MS }]);
  await everyMinute(env, Date.now());
  const [first, second] = await db.select().from(auditLog).where(eq(auditLog.subjectId, id));
  expect([first?.address, second?.address]).toEqual([null, "192.0.2.55"]);
  expect(first).toMatchObject({ actor: old.actor, after: old.after, action: "user.x" });
  expect((await db.select().from(users).where(eq(users.id, id))).length).toBe(1);
});
