import { beforeAll, beforeEach, expect, it } from "vitest";
import { emailTexts } from "../../src/platform/db/schema.ts";
import { aSendingShop } from "../support/emails.ts";
import { noRules, settleShop } from "../support/pricing.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aKey, aProduct, aUser, db, onPurpose, orderOf } from "../support/shop.ts";

const { call, received } = aSendingShop();
let key: string;
let admin: { token: string };

beforeAll(async () => {
  [{ key }, admin] = await Promise.all([aKey(), aUser({ role: "admin" })]);
});

beforeEach(async () => {
  await noRules();
  await db.delete(emailTexts);
});

const write = (path: string, body: object) => call(`PUT /admin/email-texts/${path}`, { as: admin.token, body });

async function confirmationIn(language: string, product: Parameters<typeof aProduct>[0] = {}) {
  const customer = { email: `${crypto.randomUUID()}@shop.test`, name: "Jo" };
  const body = orderOf(await aProduct(product), 1, { payment_method: "bank_transfer", customer });
  const headers = { ...onPurpose(), "Accept-Language": language };
  const placed = await call("POST /orders", { as: key, body, headers });
  const [email] = received(customer.email);
  return { ...email, number: String(placed.body.data.number) };
}

it("writes subject and introduction in the shop's own words, in each language apart", async () => {
  await settleShop({ name: "Lamp & Co" });
  const texts = { subject: "Danke! {order}", introduction: "Schön, dass Sie bei {shop} kaufen.\n\nIhre Ada" };
  expect((await write("order_confirmation/de", texts)).body.data).toMatchObject({
    ...texts,
    default_subject: "Ihre Bestellung {order} bei {shop}",
    variables: ["shop", "order", "total"],
  });
  const german = await confirmationIn("de");
  expect(german.subject).toBe(`Danke! ${german.number}`);
  expect(german.text).toContain(
    "Guten Tag,\n\nSchön, dass Sie bei Lamp & Co kaufen.\n\nIhre Ada\n\nIhre Bestellung wartet",
  );
  expect((await confirmationIn("en")).text).toContain("Thank you for your order.");
  await write("order_confirmation/de", { subject: null, introduction: null });
  expect((await confirmationIn("de")).text).toContain("Vielen Dank für Ihre Bestellung.");
});

it("shows an own text as text, never as HTML", async () => {
  await write("order_confirmation/en", { introduction: "<img src=x onerror=alert(1)> & more" });
  const { html = "" } = await confirmationIn("en");
  expect(html).toContain("&lt;img src=x onerror=alert(1)&gt; &amp; more");
  expect(html).not.toContain("<img src=x");
});

it.each([
  ["subject", { subject: "Order {ordr}" }, "{ordr}"],
  ["introduction", { introduction: "Hello {amount}, {order}" }, "{amount}"],
])("refuses an unknown variable in the %s by its name", async (field, body, name) => {
  const refused = await write("order_confirmation/en", body);
  expectRefusal(refused, 400, field);
  expect(refused.body.errors[field][0]).toContain(`contains ${name}, which this e-mail does not have`);
  expect(await db.select().from(emailTexts)).toEqual([]);
});

it.each(["low_stock/en", "constructor/en"])("has no texts for %s", async (path) => {
  expect((await write(path, { subject: "Hello" })).status).toBe(404);
});

it("lists the texts of every e-mail to buyers in every language", async () => {
  const read = async (page: number) =>
    (await call(`GET /admin/email-texts?per_page=100&page=${page}`, { as: admin.token })).body;
  const [first, second] = [await read(1), await read(2)];
  const texts: { template: string; language: string }[] = [...first.data, ...second.data];
  const names = new Set(texts.map(({ template }) => template));
  expect(names).toContain("password_reset");
  expect(names).not.toContain("low_stock");
  expect(new Set(texts.map(({ template, language }) => `${template} ${language}`)).size).toBe(names.size * 4);
  expect(first.pagination).toMatchObject({ total_pages: 2, total_items: names.size * 4, total_items_exact: true });
});

it("has the shop's logo, color, sender and address for replies, and pictures of the products", async () => {
  const logo = { url: "/images/logo.png", alt: "" };
  await settleShop({ name: "Lamp & Co", logo, color: "#ffd400", senderName: "Ada of Lamp", replyTo: "ada@lamp.test" });
  const images = [{ url: "https://img.test/lamp.jpg", alt: "" }];
  const email = await confirmationIn("en", { images });
  expect(email).toMatchObject({ from: { name: "Ada of Lamp" }, replyTo: "ada@lamp.test" });
  expect(email.html).toContain('<img src="https://shop.test/images/logo.png" alt="Lamp &amp; Co"');
  expect(email.html).toContain('<img src="https://img.test/lamp.jpg"');
  expect(email.html).toContain("background: #ffd400; color: #000000;");
  expect(email.html).not.toMatch(/>\s*https:/);
});

it.each(["red", "#12345", "#1234567", "url(x)"])("refuses the color %s", async (color) => {
  const { token } = admin;
  expectRefusal(await call("PUT /admin/shop", { as: token, body: { color } }), 400, "color");
});
