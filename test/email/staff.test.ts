import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { emailSwitches, emails, requestCounts, users } from "../../src/platform/db/schema.ts";
import { deprecations } from "../../src/platform/http/deprecations.ts";
import { everyMinute } from "../../src/scheduled.ts";
import { aMailbox, aSendingShop, emailPass } from "../support/emails.ts";
import { aKey, aProduct, aUser, db, onPurpose, orderOf } from "../support/shop.ts";

const DAY_MS = 24 * 60 * 60_000;
const now = Date.now();
const { bindings, call, received } = aSendingShop();
const pass = (at: number) => emailPass(bindings, at);
const schedule = (at: number) => everyMinute({ ...env, ...bindings }, at);

let staff: Record<"admin" | "catalogue" | "support", { email: string }>;
let buyer: { token: string };

beforeAll(async () => {
  const [admin, catalogue, support] = await Promise.all(
    (["admin", "catalogue", "support"] as const).map((role) => aUser({ role })),
  );
  if (!admin || !catalogue || !support) throw new Error("there is no staff");
  staff = { admin, catalogue, support };
  buyer = await aUser({ wallet: 1_000_000 });
});

beforeEach(async () => {
  await pass(now + DAY_MS);
  for (const { email } of Object.values(staff)) received(email);
  await db.delete(emails);
});

const buy = (product: { id: number; price: number }, quantity: number) =>
  call("POST /orders", { as: buyer.token, body: orderOf(product, quantity), headers: onPurpose() });

it("notifies administrators and catalogue staff once a day of stock that ran low or out and still is", async () => {
  const low = await aProduct({ name: "Satchel", sku: "CAR-1", stock: 7 });
  const out = await aProduct({ name: "Notebook", sku: "PAP-1", stock: 2 });
  const back = await aProduct({ name: "Back in stock", stock: 2 });
  await aProduct({ name: "Low for long", stock: 1 });
  await buy(low, 3);
  await buy(out, 2);
  await buy(back, 2);
  const { admin } = staff;
  const { token } = await aUser({ role: "admin" });
  await call(`POST /admin/products/${back.id}/stock`, { as: token, body: { delta: 50, reason: "A delivery" } });
  await pass(now);
  expect(received(admin.email)).toEqual([]);
  await schedule(now + DAY_MS);
  const [digest, ...others] = received(admin.email);
  expect(others).toEqual([]);
  expect(digest?.subject).toBe("Low stock at Storefront");
  expect(digest?.text).toContain("Notebook (PAP-1)  sold out\nSatchel (CAR-1)     4 left\n");
  expect(digest?.text).not.toMatch(/Back in stock|Low for long/);
  expect(received(staff.catalogue.email)).toHaveLength(1);
  expect(received(staff.support.email)).toEqual([]);
  await pass(now + 2 * DAY_MS);
  expect(received(admin.email)).toEqual([]);
});

it("names at most fifty products, and the number of others", async () => {
  for (let made = 0; made < 52; made++) await buy(await aProduct({ stock: 1 }), 1);
  await pass(now + DAY_MS);
  const [digest] = received(staff.admin.email);
  expect(digest?.text.match(/ {2}sold out/g)).toHaveLength(50);
  expect(digest?.text).toContain("And 2 more.");
});

it("writes the digest once if two runs of the schedule overlap", async () => {
  await buy(await aProduct({ stock: 1 }), 1);
  await Promise.all([pass(now + DAY_MS), pass(now + DAY_MS), pass(now + DAY_MS)]);
  expect(received(staff.admin.email)).toHaveLength(1);
});

it("stores no digest for later where no e-mails are sent", async () => {
  await buy(await aProduct({ stock: 1 }), 1);
  await everyMinute({ ...env, ...aMailbox() }, now + DAY_MS);
  expect(await db.select().from(emails).where(eq(emails.template, "low_stock"))).toEqual([]);
});

it.each([
  ["expires within a week", "expires soon", { expiresAt: now + 6 * DAY_MS }, "Expires: "],
  ["has been unused for 90 days", "is unused", { createdAt: now - 91 * DAY_MS }, "Last used: never"],
])("notifies only administrators, once, of an API key that %s", async (_, words, columns, line) => {
  const { id } = await aKey({ name: "Till", ...columns });
  await pass(now);
  const [email, ...others] = received(staff.admin.email);
  expect(others).toEqual([]);
  expect(email?.subject).toBe(`An API key of Storefront ${words}`);
  expect(email?.text).toContain(`Key: Till\n${line}`);
  expect(email?.text).toContain(`View key:\nhttps://shop.test/admin/api-keys/${id}`);
  expect(received(staff.catalogue.email)).toEqual([]);
  await pass(now);
  expect(received(staff.admin.email)).toEqual([]);
});

it("tells the owner of API keys once about a deprecated operation that they use", async () => {
  const FILES = "GET /api/v1/user/files";
  const since = new Date(now - DAY_MS).toISOString().slice(0, 10);
  deprecations[FILES] = { since, sunset: "2030-06-01", see: "https://shop.test/docs/changes" };
  onTestFinished(() => void Reflect.deleteProperty(deprecations, FILES));
  const owner = await aUser({ role: "admin" });
  const own = { createdBy: owner.id };
  const keys = [
    await aKey({ name: "Till", ...own }),
    await aKey({ name: "ERP", ...own }),
    await aKey({ name: "Orphan" }),
  ];
  const day = Math.floor(now / DAY_MS) * DAY_MS;
  const used = ({ id }: { id: number }, route: string, start = day) =>
    db
      .insert(requestCounts)
      .values({ period: "day", caller: `api_key:${id}`, start, route, version: "", lastAt: start });
  const [till, erp, orphan] = keys;
  if (!till || !erp || !orphan) return expect.unreachable();
  await used(till, "GET /api/v1/user/products");
  await used(till, FILES, day - 30 * DAY_MS);
  await pass(now);
  expect([received(owner.email), received(staff.admin.email)]).toEqual([[], []]);
  await used(till, FILES);
  await used(erp, FILES);
  await Promise.all([schedule(now), pass(now)]);
  const [email, ...others] = received(owner.email);
  expect(others).toEqual([]);
  expect(email?.text).toMatch(/Operation: GET \/api\/v1\/user\/files\nEnds: 2030-06-01\nKeys: (Till, ERP|ERP, Till)/);
  expect(email?.text).toContain("What to use instead:\nhttps://shop.test/docs/changes");
  expect(received(staff.admin.email)).toEqual([]);
  await used(orphan, FILES);
  await pass(now);
  expect(received(owner.email)).toHaveLength(1);
  expect(received(staff.admin.email)).toHaveLength(1);
  await db.delete(emails);
  await pass(now + DAY_MS);
  expect([received(owner.email), received(staff.admin.email)]).toEqual([[], []]);
});

it("links to the panel only where the Worker's own address is known", async () => {
  await aKey({ expiresAt: now + 6 * DAY_MS });
  await emailPass({ ...bindings, WORKER_URL: "", SHOP_URL: "https://storefront.test" }, now);
  const [email] = received(staff.admin.email);
  expect(email?.text).not.toMatch(/View key|https:/);
});

it("sends nothing to staff whose account is disabled or whose address is not verified", async () => {
  const gone = await aUser({ role: "admin" });
  await db.update(users).set({ disabledAt: now }).where(eq(users.id, gone.id));
  await aKey({ expiresAt: now + 6 * DAY_MS });
  await pass(now);
  expect(received(gone.email)).toEqual([]);
  expect(received(staff.admin.email)).toHaveLength(1);
});

it("can be switched off individually", async () => {
  await db.insert(emailSwitches).values({ template: "low_stock", off: true });
  await buy(await aProduct({ stock: 1 }), 1);
  await aKey({ expiresAt: now + 6 * DAY_MS });
  await pass(now + DAY_MS);
  expect(received(staff.admin.email).map(({ subject }) => subject)).toEqual(["An API key of Storefront expires soon"]);
});
