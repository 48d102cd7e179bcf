import { expect, it } from "vitest";
import { toDecimal } from "../../src/domain/money.ts";
import { buy } from "../payments/support/shop.ts";
import { stripeAccount } from "../payments/support/stripe.ts";
import { aRenewingFont, aSubscription, billedNow, inDays, subscriptionNow, tell } from "../subscriptions/support.ts";
import { call, ORIGIN } from "../support/call.ts";
import { boughtGiftCards, redeem } from "../support/gift-cards.ts";
import { aLicenseKey, aListedGame, LICENSE, someKeys } from "../support/license-keys.ts";
import { anAdministrator, fieldsOf, type Page } from "../support/panel.ts";
import { aProduct, aUser } from "../support/shop.ts";

const admin = await anAdministrator();

/** Expects a form to succeed: the next page confirms it. */
async function expectDone({ status, html, location }: Page, words: RegExp): Promise<void> {
  expect(status, html).toBe(303);
  expect((await admin.get(String(location))).html).toMatch(words);
}

function expectRefused({ status, html }: Page, expected: number, words: string): void {
  expect(status).toBe(expected);
  expect(html).toContain(words);
}

const validate = async (license_key: string, instance_id: string) =>
  (await call("POST /licenses/validate", { body: { license_key, instance_id } })).body.data.code;

it("finds a key by its beginning, and shows it and its devices without the rest of it", async () => {
  const { id, key } = await aLicenseKey();
  const body = { license_key: key, instance_name: "Studio Mac", instance_id: "one" };
  await call("POST /licenses/activate", { body });
  const start = key.slice(0, 19);
  const { html } = await admin.get(`/admin/license-keys?key_start=${start.toLowerCase()}`);
  expect(html).toContain(`href="/admin/license-keys/${id}"`);
  expect(html).toContain("1 of 2");
  const page = await admin.get(`/admin/license-keys/${id}`);
  expect(page.html).toContain("Studio Mac");
  for (const shown of [html, page.html]) {
    expect(shown).toContain(start);
    expect(shown).not.toContain(key.slice(-14));
  }
});

it("is linked from the page of its order, as gift cards are", async () => {
  const { user } = await aLicenseKey();
  const [{ order_id }] = (await call("GET /account/license-keys", { as: user.token })).body.data;
  const links = async (id: number) =>
    [
      ...(await admin.get(`/admin/orders/${id}`)).html.matchAll(
        /href="(\/admin\/(?:license-keys|gift-cards)\?[^"]*)"/g,
      ),
    ].map(([, path]) => path);
  expect(await links(order_id)).toEqual([`/admin/license-keys?order_id=${order_id}`]);
  const { order } = await boughtGiftCards();
  expect(await links(order.id)).toEqual([`/admin/gift-cards?order_id=${order.id}`]);
});

it("extends, resets and revokes a key", async () => {
  const { id, key } = await aLicenseKey();
  for (const instance_id of ["one", "two"])
    await call("POST /licenses/activate", { body: { license_key: key, instance_name: "Mac", instance_id } });
  const path = `/admin/license-keys/${id}`;
  expectRefused(await admin.post(path, { activation_limit: "1" }), 400, "below the number of active devices");
  const form = { activation_limit: "3", expires_at: "2040-01-31T12:00", updates_until: "" };
  await expectDone(await admin.post(path, form), /was saved/);
  const third = { license_key: key, instance_name: "Mac", instance_id: "three" };
  expect((await call("POST /licenses/activate", { body: third })).body.data.license_key).toMatchObject({
    activations: 3,
    updates_until: null,
  });
  await expectDone(await admin.post(`${path}/reset`), /deactivated on all devices/);
  expect(await validate(key, "two")).toBe("not_activated");
  await expectDone(await admin.post(`${path}/revoke`), /was revoked/);
  expect(await validate(key, "four")).toBe("revoked");
  expectRefused(await admin.post(path, form), 409, "was revoked");
});

it("sets the terms of a product's keys in its form", async () => {
  const { id } = await aProduct({ name: "Sans", type: "digital", stock: null });
  const license = async () => (await call(`GET /admin/products/${id}`, { as: admin.token })).body.data.license;
  const form = { name: "Sans", sku: `SANS-${id}`, type: "digital", status: "active", price: "5" };
  const terms = {
    "license.source": "generated",
    "license.activation_limit": "2",
    "license.prefix": "FONT",
    "license.valid_days": "",
    "license.update_days": "365",
  };
  await expectDone(await admin.post(`/admin/products/${id}`, { ...form, ...terms }), /was saved/);
  expect(await license()).toEqual(LICENSE);
  const page = await admin.get(`/admin/products/${id}`);
  expect(fieldsOf(page, `/admin/products/${id}`)).toMatchObject({
    "license.prefix": ["FONT"],
    "license.update_days": ["365"],
  });
  const wrong = { ...form, ...terms, "license.prefix": "no good" };
  expectRefused(await admin.post(`/admin/products/${id}`, wrong), 400, "must be capital letters and digits");
  const without = { ...form, ...terms, "license.activation_limit": "" };
  expectRefused(await admin.post(`/admin/products/${id}`, without), 400, "Devices per key</a>: ");
  const uploaded = { ...form, "license.source": "uploaded" };
  expectRefused(await admin.post(`/admin/products/${id}`, uploaded), 400, "Devices per key</a>: ");
  const empty = { ...Object.fromEntries(Object.keys(terms).map((name) => [name, ""])), "license.source": "generated" };
  await expectDone(await admin.post(`/admin/products/${id}`, { ...form, ...empty }), /was saved/);
  expect(await license()).toBeNull();
});

/**
 * Sends the form of a product's list without script, its fields in the order of the page, as browsers do. The file is
 * empty unless one was chosen.
 */
async function sendKeys(id: number, field: string, keys: string, file = "") {
  const action = `/admin/products/${id}/${field}`;
  const { html } = await admin.get(`/admin/products/${id}`);
  const form = html.split(`action="${action}"`)[1]?.split("</form>")[0] ?? "";
  const values: Record<string, string> = { [field]: keys, reason: "From the publisher" };
  const body = new FormData();
  for (const [, name = ""] of form.matchAll(/<(?:input|textarea)[^>]* name="([^"]+)"/g)) {
    if (name === "file") body.append(name, new File([file], file === "" ? "" : "keys.csv"));
    else body.append(name, values[name] ?? "");
  }
  const own = { Origin: ORIGIN, "Sec-Fetch-Site": "same-origin" };
  const url = `${ORIGIN}${action}`;
  return admin.send(new Request(url, { method: "POST", headers: { ...admin.headers(), ...own }, body }));
}

it("adds a pasted list of keys to a product, withdraws one, and names the line that is refused", async () => {
  const { id } = await aListedGame([]);
  const path = `/admin/products/${id}`;
  const empty = (await admin.get(path)).html;
  expect(empty).toContain("Add license keys");
  expect(empty).not.toContain("Withdraw license keys");
  const [one = "", two = ""] = someKeys(2);
  await expectDone(await sendKeys(id, "license_keys", `${one}\r\n\r\n ${two} \r\n`), /Unsold keys: 2\./);
  const refused = await sendKeys(id, "license_keys", `${someKeys(1)}\n${two}`);
  expectRefused(refused, 400, "License keys 2</a>: was uploaded before");
  expect((await admin.get(path)).html).toMatch(/Unsold keys<\/dt>\s*<dd[^>]*>2</);
  await expectDone(await sendKeys(id, "withdrawn_license_keys", two), /Unsold keys: 1\./);
  const again = await sendKeys(id, "withdrawn_license_keys", `${one}\n${two}`);
  expectRefused(again, 400, "License keys 2</a>: is not an unsold key");
});

it("adds the keys of a file, as lines or as a column of a CSV file, and asks for keys if there are none", async () => {
  const { id } = await aListedGame([]);
  const keys = someKeys(2_000);
  await expectDone(await sendKeys(id, "license_keys", "", `\u{FEFF}${keys.join("\r\n")}\r\n`), /Unsold keys: 2000\./);
  const more = someKeys(2);
  const csv = ["Id,License key,Note", ...more.map((key, at) => `${at},"${key}",bought in June`)].join("\n");
  await expectDone(await sendKeys(id, "license_keys", "", csv), /Unsold keys: 2002\./);
  await expectDone(await sendKeys(id, "withdrawn_license_keys", "", keys.join("\n")), /Unsold keys: 2\./);
  expectRefused(await sendKeys(id, "license_keys", ""), 400, "License keys</a>: ");
  expectRefused(
    await sendKeys(id, "license_keys", "", `${someKeys(1)}\nshort`),
    400,
    "License keys 2</a>: must have at",
  );
  expectRefused(await sendKeys(id, "license_keys", "", "x".repeat(1_100_000)), 413, "1 MB");
});

it("starts counting the keys as stock when a product's form says that they are uploaded", async () => {
  const { id } = await aProduct({ name: "Serif", type: "digital", stock: null });
  const form = { name: "Serif", sku: `SERIF-${id}`, type: "digital", status: "active", price: "5", stock_quantity: "" };
  const terms = { "license.source": "uploaded", "license.activation_limit": "2" };
  await expectDone(await admin.post(`/admin/products/${id}`, { ...form, ...terms }), /was saved/);
  const { data } = (await call(`GET /admin/products/${id}`, { as: admin.token })).body;
  expect(data).toMatchObject({ manage_stock: true, stock_quantity: 0, license: { source: "uploaded" } });
});

it("finds a card by the beginning of its code, shows its redemptions without the rest, and disables it", async () => {
  const { cards, code } = await boughtGiftCards();
  const path = `/admin/gift-cards/${cards[0].id}`;
  expect((await admin.get(path)).html).toContain("None yet");
  const friend = await aUser();
  await redeem(friend.token, code, toDecimal(1234));
  const start = code.slice(0, 19);
  const { html } = await admin.get(`/admin/gift-cards?code_start=${start.toLowerCase()}`);
  expect(html).toContain(`href="${path}"`);
  const page = await admin.get(path);
  for (const amount of ["50.00", "37.66", "12.34"]) expect(page.html).toContain(amount);
  for (const shown of [html, page.html]) {
    expect(shown).toContain(start);
    expect(shown).not.toContain(code.slice(-14));
  }
  const { status, location } = await admin.post(`${path}/disable`);
  expect(status).toBe(303);
  expect((await admin.get(String(location))).html).toContain("was disabled");
  expect((await redeem(friend.token, code)).body.code).toBe("gift_card_ended");
});

const STRIPE = stripeAccount("subscriptions-in-panel");

async function aSubscriber(name: string) {
  const user = await aUser({ name });
  const { order, product } = await buy(STRIPE, { product: await aRenewingFont(), as: user.token });
  const billed = aSubscription(order, { current_period_end: inDays(30) });
  await tell(STRIPE, "invoice.paid", billed);
  const id = Number((await subscriptionNow(billed))?.id);
  return { order, product, billed, path: `/admin/subscriptions/${id}` };
}

it("lists subscriptions with their customer, product and next payment, by status too, and on their order", async () => {
  const { product, path, order, billed } = await aSubscriber("Sybil Scriber");
  const { html } = await admin.get("/admin/subscriptions");
  const nextPayment = new Date(billed.current_period_end * 1000).toISOString().slice(0, 16);
  for (const shown of [`href="${path}"`, product.name, "Sybil Scriber", "active", nextPayment]) {
    expect(html).toContain(shown);
  }
  await tell(STRIPE, "invoice.payment_failed", { ...billed, status: "past_due" });
  expect((await admin.get("/admin/subscriptions?status=active")).html).not.toContain(`href="${path}"`);
  expect((await admin.get("/admin/subscriptions?status=past_due")).html).toContain(`href="${path}"`);
  const ofOrder = `/admin/subscriptions?order_id=${order.id}`;
  expect((await admin.get(`/admin/orders/${order.id}`)).html).toContain(`href="${ofOrder}"`);
  expect((await admin.get(ofOrder)).html).toContain(`href="${path}"`);
});

it("cancels a subscription at the end of its period, then ends it at once", async () => {
  const { billed, path } = await aSubscriber("Carl Canceller");
  const cancelled = await admin.post(`${path}/cancel`, {}, {}, STRIPE);
  expect(cancelled.status, cancelled.html).toBe(303);
  expect(await billedNow(billed.id)).toMatchObject({ cancel_at_period_end: true, ended_at: null });
  const { html } = await admin.get(path);
  expect(html).toContain("It ends with the paid period.");
  expect([html.includes(`${path}/cancel`), html.includes(`${path}/end`)]).toEqual([false, true]);
  expect((await admin.post(`${path}/end`, {}, {}, STRIPE)).status).toBe(303);
  expect(await billedNow(billed.id)).toMatchObject({ status: "canceled" });
  expect((await admin.get(path)).html).not.toContain(`${path}/end`);
});

it("is ended only by staff who may write orders", async () => {
  const { path } = await aSubscriber("Vera Viewer");
  const viewer = await anAdministrator({ role: "viewer" });
  expect((await viewer.get(path)).html).not.toContain(`${path}/end`);
  expect((await viewer.post(`${path}/end`, {}, {}, STRIPE)).status).toBe(403);
  expect((await admin.get("/admin/subscriptions/999999")).status).toBe(404);
});
