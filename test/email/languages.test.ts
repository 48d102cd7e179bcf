import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { followEvents } from "../../src/apps/follow-events.ts";
import { aSendingShop } from "../support/emails.ts";
import { noRules, settleShop } from "../support/pricing.ts";
import { asAdministrator } from "../support/settings.ts";
import { aKey, aProduct, aUser, onPurpose, orderOf } from "../support/shop.ts";

const { bindings, call, received } = aSendingShop();
let key: string;

beforeAll(async () => {
  ({ key } = await aKey());
});

beforeEach(() => noRules());

const texts = (to: string) => received(to).map(({ subject, text }) => `${subject}\n${text}`);

async function aGuestOrder(headers: Record<string, string>) {
  const customer = { email: `${crypto.randomUUID()}@shop.test`, name: "Jo" };
  const body = orderOf(await aProduct({ name: "Tasse" }), 2, { payment_method: "bank_transfer", customer });
  const placed = await call("POST /orders", { as: key, body, headers: { ...onPurpose(), ...headers } });
  expect(placed.status).toBe(201);
  return { ...customer, id: Number(placed.body.data.id), number: String(placed.body.data.number) };
}

it("writes about an order in the language of the request that placed it", async () => {
  const { email, number, id } = await aGuestOrder({ "Accept-Language": "de-AT, en;q=0.5" });
  const [confirmation] = received(email);
  expect(confirmation?.subject).toBe(`Ihre Bestellung ${number} bei Storefront`);
  expect(confirmation?.html).toContain('<html lang="de">');
  expect(confirmation?.text).toMatch(/^Guten Tag,\n\nVielen Dank für Ihre Bestellung\./);
  expect(confirmation?.text).toMatch(/Gesamtbetrag {2}20,00\u00a0\$/);
  const { token } = await aUser({ role: "admin" });
  await call(`PUT /admin/orders/${id}`, { as: token, body: { payment_status: "paid" } });
  expect(texts(email)).toEqual([expect.stringMatching(/^Zahlung für Bestellung .* eingegangen\n/)]);
});

it("writes about an account in the language of the request that created it", async () => {
  const email = `${crypto.randomUUID()}@shop.test`;
  const body = { email, name: "Jo", password: "long enough" };
  await call("POST /auth/signup", { body, headers: { "Accept-Language": "fr" } });
  expect(texts(email)).toEqual([expect.stringContaining("Confirmez votre adresse e-mail pour Storefront\nBonjour,")]);
});

it("writes in the shop's language to a buyer whose own is not known", async () => {
  await settleShop({ language: "es" });
  const { email, number } = await aGuestOrder({ "Accept-Language": "nl" });
  expect(texts(email)).toEqual([expect.stringMatching(new RegExp(`^Tu pedido ${number} en .*\nHola:\n\nGracias`))]);
});

it("does not write in the language of staff who place an order for a buyer", async () => {
  const { token } = await aUser({ role: "admin" });
  const { email, id } = await aUser({ name: "Ada" });
  const product = await aProduct({ type: "digital", stock: null });
  const body = { user_id: id, items: [{ product_id: product.id, quantity: 1 }], payment_method: "bank_transfer" };
  const headers = { ...onPurpose(), "Accept-Language": "de" };
  const placed = await call("POST /admin/orders", { as: token, body, headers });
  expect(placed.status, JSON.stringify(placed.body)).toBe(201);
  expect(texts(email)).toEqual([expect.stringMatching(/^Your order /)]);
});

async function write(page: string, text: string): Promise<number> {
  const body = { title: `About ${page}`, text };
  const answer = await call(`PUT /admin/pages/${page}`, { as: await asAdministrator(), body });
  expect(answer.status).toBe(200);
  return answer.body.data.version;
}

it("confirms an order with the terms that it accepted and the instructions on withdrawal in its language", async () => {
  const version = await write("terms/en", "## Delivery\nWithin **three** days.");
  await write("terms/de", "Innerhalb von drei Tagen.");
  await write("withdrawal/en", "You have 14 days.");
  await write("withdrawal/de", "Sie haben 14 Tage.");
  await write("privacy/en", "We keep little.");
  const [{ key }, product] = [await aKey(), await aProduct()];
  const place = async (more: object, language: string) => {
    const customer = { email: `${crypto.randomUUID()}@shop.test`, name: "Jo" };
    const body = orderOf(product, 1, { payment_method: "paypal", customer, ...more });
    const headers = { ...onPurpose(), "Accept-Language": language };
    const { body: placed } = await call("POST /orders", { as: key, body, headers });
    return { ...customer, id: placed.data.id };
  };
  const german = await place({ accepted_terms: version }, "de");
  const [confirmation] = received(german.email);
  expect(confirmation?.text).toMatch(
    /\n\nAbout terms\/en\n\n## Delivery\nWithin \*\*three\*\* days\.\n\nAbout withdrawal\/de\n\nSie haben 14 Tage\.\n\n-- /,
  );
  expect(confirmation?.html).toContain("Within <strong>three</strong> days.");
  expect(confirmation?.html).not.toContain("We keep little.");
  const english = await place({}, "en");
  expect(received(english.email)[0]?.text).toContain("About withdrawal/en\n\nYou have 14 days.");

  const as = await asAdministrator();
  await call(`PUT /admin/orders/${german.id}`, { as, body: { payment_status: "paid" } });
  await followEvents({ ...env, ...bindings });
  const [paid] = received(german.email);
  expect(paid?.subject).toContain("Zahlung");
  expect(paid?.text).not.toContain("Sie haben 14 Tage.");
});
