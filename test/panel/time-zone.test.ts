import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { rememberTimeZone } from "../../src/domain/time.ts";
import { transactions } from "../../src/platform/db/schema.ts";
import { call } from "../support/call.ts";
import { aSendingShop } from "../support/emails.ts";
import { anAdministrator, fieldsOf } from "../support/panel.ts";
import { aProduct, aUser, db, orderOf } from "../support/shop.ts";

// A shop in New York, five hours behind UTC in January and four in July.

let admin: Awaited<ReturnType<typeof anAdministrator>>;
const SHOP = "/admin/shop";

beforeAll(async () => {
  admin = await anAdministrator();
  const fields = fieldsOf(await admin.get(SHOP), SHOP);
  const saved = await admin.post(SHOP, { ...fields, time_zone: "America/New_York" });
  expect(saved.location).toBe(SHOP);
});
afterAll(() => rememberTimeZone("UTC"));

const unpaid = async () => orderOf(await aProduct(), 1, { payment_method: "paypal" });

/** An order placed at half past nine in the evening of 10 January, which is the 11th in UTC. */
async function anEveningOrder() {
  const { body } = await call("POST /orders", { as: (await aUser()).token, body: await unpaid() });
  await db.run(sql`UPDATE orders SET created_at = ${Date.parse("2026-01-11T02:30:00Z")} WHERE id = ${body.data.id}`);
  return { id: Number(body.data.id), number: String(body.data.number) };
}

it("shows times in the shop's time zone, on pages and on paper", async () => {
  const { id } = await anEveningOrder();
  const { html } = await admin.get(`/admin/orders/${id}`);
  expect(html).toContain("Times in America/New York");
  expect(html).toContain(
    '<time datetime="2026-01-11T02:30:00.000Z" title="10 Jan 2026, 21:30 GMT-5">10 Jan 2026<span>, 21:30',
  );
  const { html: invoice } = await admin.get(`/admin/orders/${id}/invoice`);
  expect(invoice).toContain("10 Jan 2026");
  expect(invoice).not.toContain("11 Jan 2026");
});

it("reads dates and times of forms in it, and sends them to the API in UTC", async () => {
  const fields = { name: "Summer", permissions: ["read"], tier: "standard", expires_at: "2030-07-01T09:30" };
  await admin.post("/admin/api-keys", fields);
  const { body } = await call("GET /admin/api-keys?search=Summer", { as: admin.token });
  const [{ id, expires_at }] = body.data;
  expect(expires_at).toBe("2030-07-01T13:30:00.000Z");
  const page = await admin.get(`/admin/api-keys/${id}`);
  expect(page.html).toContain("Expires (America/New York)");
  expect(fieldsOf(page, `/admin/api-keys/${id}`).expires_at).toEqual(["2030-07-01T09:30"]);
});

it("refuses offsets as the shop's time zone, including with a typographic minus", async () => {
  const fields = fieldsOf(await admin.get(SHOP), SHOP);
  for (const time_zone of ["-05:00", "−05:00"]) {
    const page = await admin.post(SHOP, { ...fields, time_zone });
    expect(page.status).toBe(400);
    expect(page.html).toContain("must be a time zone such as");
  }
});

it("refuses nonexistent times of day, and keeps the typed value", async () => {
  for (const expires_at of ["2030-02-31T09:30", "2030-13-45T99:99"]) {
    const page = await admin.post("/admin/api-keys", {
      name: "Never",
      permissions: ["read"],
      tier: "standard",
      expires_at,
    });
    expect(page.status).toBe(400);
    expect(page.html).toContain(`value="${expires_at}"`);
    expect(page.html).toContain("must be a valid date");
  }
});

it("filters lists by its days, and exports what they show", async () => {
  const { number } = await anEveningOrder();
  const on = async (day: string) => (await admin.get(`/admin/orders?from=${day}&to=${day}`)).html;
  const shown = await on("2026-01-10");
  expect(shown).toContain(number);
  expect(await on("2026-01-11")).not.toContain(number);
  expect(shown).toContain('value="2026-01-10"');
  const [, address = ""] = /href="(\/admin\/exports\/orders\/csv[^"]*)"/.exec(shown) ?? [];
  const exported = await admin.get(address.replaceAll("&amp;", "&"));
  expect(exported.html).toContain(number);
  const refused = await admin.get("/admin/orders?from=2026-02-30");
  expect(refused.status).toBe(400);
  expect(refused.html).toContain("must be a valid date");
});

it("adds transactions up by its days", async () => {
  const { id } = await aUser();
  await db.insert(transactions).values({
    ...{ userId: id, kind: "refund", method: "paypal", amount: 700 },
    createdAt: Date.parse("2026-01-11T02:30:00Z"),
  });
  const { html } = await admin.get(`/admin/transactions?user_id=${id}`);
  expect(html).toMatch(/10 Jan 2026 <span class="muted">1 refund -\$7\.00<\/span>/);
  expect(html).toContain(">21:30</time>");
});

it("formats times in e-mails in it, with its name, even if another isolate changed it", async () => {
  const shop = aSendingShop();
  const buyer = await aUser();
  rememberTimeZone("UTC");
  await shop.call("POST /orders", { as: buyer.token, body: await unpaid() });
  const [email] = shop.received(buyer.email);
  expect(email?.text).toMatch(/It is reserved until .* GMT-[45]\./);
});

it("keeps a zone saved under an alias of a listed name", async () => {
  const time_zone = "Asia/Kolkata";
  expect((await call("PUT /admin/shop", { as: admin.token, body: { time_zone } })).status).toBe(200);
  const fields = fieldsOf(await admin.get(SHOP), SHOP);
  expect(fields.time_zone).toEqual([time_zone]);
  await admin.post(SHOP, { ...fields, name: "The Same Zone" });
  const { body } = await call("GET /admin/shop", { as: admin.token });
  expect(body.data).toMatchObject({ name: "The Same Zone", time_zone });
});
