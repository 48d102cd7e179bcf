import { sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeEach, expect, it } from "vitest";
import { addUpAllSales } from "../../src/back-office/sales/add-up.ts";
import { dayIn, rememberTimeZone } from "../../src/domain/time.ts";
import { sales } from "../../src/platform/db/schema.ts";
import { shopOffsetAt } from "../../src/platform/db/time-zone.ts";
import { anAdministrator } from "../admin/orders/support.ts";
import { call } from "../support/call.ts";
import { noRules, settleShop } from "../support/pricing.ts";
import { aProduct, aUser, db, orderOf } from "../support/shop.ts";

let admin: Awaited<ReturnType<typeof anAdministrator>>;

beforeEach(async () => {
  await noRules();
  await settleShop({ timeZone: "UTC" });
  admin = await anAdministrator();
});
afterAll(() => rememberTimeZone("UTC"));

const settle = async (time_zone: string) => {
  const { status, body } = await call("PUT /admin/shop", { as: admin.token, body: { time_zone } });
  return { status, body };
};

const report = async (day: string) => {
  const { body } = await call(`GET /admin/reports/sales?from=${day}&to=${day}`, { as: admin.token });
  return { orders: body.data.total.orders, zone: body.data.time_zone };
};

/** A new order, paid at this time. */
async function paidAt(moment: string) {
  const buyer = await aUser({ wallet: 10_000 });
  const { body } = await call("POST /orders", { as: buyer.token, body: orderOf(await aProduct()) });
  await db.run(sql`UPDATE order_history SET at = ${Date.parse(moment)} WHERE order_id = ${body.data.id}`);
}

const days = async () =>
  (await db.select().from(sales))
    .filter(({ dimension, period }) => dimension === "shop" && period.startsWith("2024"))
    .map(({ period, orders }) => `${period}: ${orders}`)
    .toSorted();

it("adds up sales by the days of the shop's time zone, and again when it changes", async () => {
  await addUpAllSales(db);
  // Berlin is two hours ahead of UTC in summer, and one hour from 27 October.
  await paidAt("2024-10-26T22:30:00Z");
  await paidAt("2024-10-27T22:30:00Z");
  await paidAt("2024-10-31T23:30:00Z");
  await addUpAllSales(db);
  expect(await days()).toEqual(["2024-10-26: 1", "2024-10-27: 1", "2024-10-31: 1", "2024-10: 3"]);
  await settle("Europe/Berlin");
  expect(await report("2024-10-27")).toEqual({ orders: 2, zone: "Europe/Berlin" });
  expect(await days()).toEqual(["2024-10-27: 2", "2024-10: 2", "2024-11-01: 1", "2024-11: 1"]);
  await settle("Asia/Kolkata");
  await addUpAllSales(db);
  expect(await days()).toEqual(["2024-10-27: 1", "2024-10-28: 1", "2024-10: 2", "2024-11-01: 1", "2024-11: 1"]);
});

it("adds up by the shop's current time zone, whatever this isolate has cached", async () => {
  await settle("Asia/Kolkata");
  await paidAt("2024-05-01T23:00:00Z");
  rememberTimeZone("UTC");
  await addUpAllSales(db);
  expect((await days()).filter((day) => day.startsWith("2024-05"))).toEqual(["2024-05-02: 1", "2024-05: 1"]);
});

it("finds the day of any time in any time zone as clocks there do", async () => {
  const first = Date.UTC(2020, 0, 1);
  const zones = fc.constantFrom("UTC", ...Intl.supportedValuesOf("timeZone"));
  const moments = fc.array(fc.integer({ min: first, max: Date.now() }), { minLength: 1, maxLength: 50 });
  await fc.assert(
    fc.asyncProperty(zones, moments, async (zone, at) => {
      rememberTimeZone(zone);
      const moment = sql`CAST(row.value AS INTEGER)`;
      const rows = await db.all<{ day: string }>(sql`
        SELECT strftime('%Y-%m-%d', (${moment} + ${shopOffsetAt(moment, Date.now())}) / 1000, 'unixepoch') AS day
        FROM json_each(${JSON.stringify(at)}) AS row`);
      expect(rows.map(({ day }) => day)).toEqual(at.map((each) => dayIn(zone, each)));
    }),
    { numRuns: 40 },
  );
});

it("refuses an invalid time zone, naming the field, and keeps the settings", async () => {
  for (const zone of ["Mars/Olympus", "+02:00", "", "x".repeat(1000)]) {
    const { status, body } = await settle(zone);
    expect([status, Object.keys(body.errors)]).toEqual([400, ["time_zone"]]);
  }
  const { body } = await call("GET /admin/shop", { as: admin.token });
  expect(body.data.time_zone).toBe("UTC");
});
