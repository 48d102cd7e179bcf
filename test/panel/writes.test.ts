import { desc, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import {
  apiKeys,
  auditLog,
  categories,
  files,
  orders,
  products,
  transactions,
  users,
} from "../../src/platform/db/schema.ts";
import { call, ORIGIN } from "../support/call.ts";
import { shared } from "../support/callers.ts";
import { orderNow } from "../support/orders.ts";
import { anAdministrator, fieldsOf, type Page } from "../support/panel.ts";
import { aCategory, aFile, aKey, aProduct, aUser, db, orderOf } from "../support/shop.ts";

const anAdmin = shared(() => anAdministrator());

type Administrator = Awaited<ReturnType<typeof anAdministrator>>;

let admin: Administrator;
let made = 0;

beforeEach(async () => {
  admin = await anAdmin();
});

/** Expects a form to succeed: the next page confirms it. */
async function expectDone(answer: Page, words: RegExp): Promise<Page> {
  expect(answer.status, answer.html).toBe(303);
  const next = await admin.get(String(answer.location));
  expect(next.html).toMatch(words);
  return next;
}

/** Expects a form to be refused: it is shown again with the typed values and the reason. */
function expectRefused({ status, html }: Page, expected: number, ...shown: string[]): void {
  expect(status).toBe(expected);
  for (const words of shown) expect(html).toContain(words);
}

const aForm = () => ({
  name: `Lamp ${++made}`,
  sku: `PANEL-${made}`,
  type: "physical",
  status: "active",
  price: "12.50",
});

describe("products", () => {
  it("are created as typed, and edited", async () => {
    const form = {
      ...aForm(),
      images: "https://img.example/a.png A lamp\n/images/b.svg",
      metadata: "colour = red\nsize = 1 = 2",
      manage_stock: "true",
      stock_quantity: "3",
    };
    const created = await admin.post("/admin/products", form);
    await expectDone(created, new RegExp(`${form.name} was created`));
    const row = await db.select().from(products).where(eq(products.sku, form.sku)).get();
    expect(row).toMatchObject({
      price: 1250,
      stockQuantity: 3,
      requiresShipping: true,
      images: [
        { url: "https://img.example/a.png", alt: "A lamp" },
        { url: "/images/b.svg", alt: "" },
      ],
      metadata: { colour: "red", size: "1 = 2" },
    });
    const path = `/admin/products/${row?.id}`;
    const edit = { ...fieldsOf(await admin.get(path), path), type: "digital", status: "draft", price: "9" };
    await expectDone(await admin.post(path, edit), /was saved/);
    expect(await db.select().from(products).where(eq(products.sku, form.sku)).get()).toMatchObject({
      price: 900,
      status: "draft",
      stockQuantity: 3,
    });
  });

  it.each([
    ["price", { price: "0.005" }, "must have at most two decimals"],
    ["price", { price: "twelve" }, "must be a number"],
    ["price", { price: "1.005" }, "can mean 1005.00 or 1.005"],
    ["name", { name: "" }, "must not be empty"],
    ["images", { images: "javascript:alert(1) x" }, "must be an https:// address"],
    ["category", { category_id: "999999" }, "category 999999 does not exist"],
    ["type", { type: "weapon" }, "must be one of"],
  ])("that are refused for their %s keep the typed values, and leave nothing behind", async (_, wrong, words) => {
    const form = { ...aForm(), ...wrong };
    const answer = await admin.post("/admin/products", form);
    expectRefused(answer, 400, words, `value="${form.sku}"`);
    expect(await db.select().from(products).where(eq(products.sku, form.sku)).all()).toEqual([]);
  });

  it("are not overwritten by a form opened before another edit", async () => {
    const { id } = await aProduct();
    const path = `/admin/products/${id}`;
    const form = { ...fieldsOf(await admin.get(path), path), type: "physical", status: "active" };
    await call(`PUT ${path}`, { as: admin.token, body: { name: "Another's" } });
    expectRefused(await admin.post(path, { ...form, name: "Mine" }), 412, "Someone else saved a change", "Mine");
    expect((await db.select().from(products).where(eq(products.id, id)).get())?.name).toBe("Another's");
  });

  it("have their stock adjusted and counted, and are deleted", async () => {
    const { id } = await aProduct({ stock: 5 });
    const path = `/admin/products/${id}`;
    await expectDone(
      await admin.post(`${path}/stock`, { how: "delta", pieces: "-2", reason: "Broken" }),
      /stock is now 3/,
    );
    await expectDone(
      await admin.post(`${path}/stock`, { how: "quantity", pieces: "9", reason: "Counted" }),
      /stock is now 9/,
    );
    const refused = await admin.post(`${path}/stock`, { how: "delta", pieces: "-99", reason: "Too many" });
    expectRefused(refused, 400, "takes more than is", 'value="Too many"');
    await expectDone(await admin.post(`${path}/delete`), /was deleted/);
    expect((await admin.get(path)).status).toBe(404);
  });
});

describe("categories", () => {
  it("are created, renamed and deleted", async () => {
    await expectDone(await admin.post("/admin/categories", { name: "Garden", slug: "" }), /Garden was created/);
    const row = await db.select().from(categories).where(eq(categories.slug, "garden")).get();
    const path = `/admin/categories/${row?.id}`;
    await expectDone(await admin.post(path, { name: "Gardens", slug: "garden" }), /Gardens was saved/);
    await aCategory("Taken");
    expectRefused(await admin.post(path, { name: "G", slug: "taken" }), 400, "belongs to another category");
    await expectDone(await admin.post(`${path}/delete`), /was deleted/);
  });

  it("show their newest products, and add new ones to themselves", async () => {
    const category = await aCategory("Kettles");
    const path = `/admin/categories/${category.id}`;
    expect((await admin.get(path)).html).toContain("No products yet");
    const product = await aProduct({ categoryId: category.id, status: "draft" });
    const { html } = await admin.get(path);
    expect(html).toContain("1 product</h2>");
    expect(html).toContain(`href="/admin/products/${product.id}"`);
    expect(html).toContain(`href="/admin/products?category=${category.slug}"`);
    const add = `/admin/products/new?category_id=${category.id}`;
    expect(html).toContain(`href="${add}"`);
    expect((await admin.get(add)).html).toMatch(new RegExp(`<option value="${category.id}"[^>]* selected`));
    expectRefused(await admin.post(`${path}/delete`), 409, "Move or delete these first");
  });
});

describe("API keys", () => {
  const keyOf = ({ html }: Page) => /sfk_[0-9A-Za-z]{33}/.exec(html)?.[0] ?? "";

  it("are shown once, with an example request that works", async () => {
    const answer = await admin.post("/admin/api-keys", { name: "Shown", permissions: ["files:read"], tier: "premium" });
    const key = keyOf(answer);
    expect(answer.html).toContain(`/api/v1/user/files?per_page=1`);
    expect((await call("GET /files?per_page=1", { as: key })).headers.get("X-RateLimit-Limit")).toBe("1000");
    const row = await db
      .select()
      .from(apiKeys)
      .where(eq(apiKeys.start, key.slice(0, 12)))
      .get();
    for (const path of ["/admin/api-keys", `/admin/api-keys/${row?.id}`, "/admin/audit-log"]) {
      expect((await admin.get(path)).html).not.toContain(key);
    }
  });

  it.each([
    ["no permission", { permissions: [] }, "choose at least one permission"],
    ["an unknown permission", { permissions: ["keys:write"] }, "must be one of"],
    ["an end in the past", { expires_at: "2020-01-01T00:00" }, "must be in the future"],
    ["a date that is none", { expires_at: "tomorrow" }, "must be a valid date"],
  ])("with %s are refused, and the typed values stay", async (_, wrong, words) => {
    const answer = await admin.post("/admin/api-keys", {
      name: "Refused",
      permissions: ["read"],
      tier: "standard",
      ...wrong,
    });
    expectRefused(answer, 400, words, 'value="Refused"');
  });

  it("are edited, rotated and revoked, and the next request sees it", async () => {
    const key = await aKey({ permissions: ["products:read"] });
    const path = `/admin/api-keys/${key.id}`;
    const edit = { name: "Renamed", permissions: ["carts:read"], tier: "standard", expires_at: "" };
    await expectDone(await admin.post(path, edit), /Renamed was saved/);
    expect((await call("GET /products", { as: key.key })).status).toBe(403);
    const renewed = keyOf(await admin.post(`${path}/rotate`, { grace_seconds: "0" }));
    expect((await call("GET /cart", { as: key.key })).status).toBe(401);
    expect((await call("GET /cart", { as: renewed })).status).toBe(200);
    await expectDone(await admin.post(`${path}/revoke`), /was revoked/);
    expect((await call("GET /cart", { as: renewed })).status).toBe(401);
    expectRefused(await admin.post(path, edit), 409, "was revoked");
  });

  it("that have expired are renamed without a new expiry, and get one when it is typed", async () => {
    const expiresAt = Date.now() - 1_234_567;
    const { id } = await aKey({ expiresAt });
    const path = `/admin/api-keys/${id}`;
    const form = { ...fieldsOf(await admin.get(path), path), permissions: ["read"], tier: "standard" };
    await expectDone(await admin.post(path, { ...form, name: "Renamed" }), /Renamed was saved/);
    expect((await db.select().from(apiKeys).where(eq(apiKeys.id, id)).get())?.expiresAt).toBe(expiresAt);
    const again = fieldsOf(await admin.get(path), path);
    await expectDone(await admin.post(path, { ...form, ...again, expires_at: "2099-01-31T12:00" }), /was saved/);
    const row = await db.select().from(apiKeys).where(eq(apiKeys.id, id)).get();
    expect(row?.expiresAt).toBe(Date.parse("2099-01-31T12:00Z"));
  });
});

describe("orders", () => {
  async function anOrder(quantity = 2) {
    const buyer = await aUser({ wallet: 10_000 });
    const { body } = await call("POST /orders", { as: buyer.token, body: orderOf(await aProduct(), quantity) });
    const { id, items } = body.data;
    const now = () => db.select().from(orders).where(eq(orders.id, id)).get();
    return { id, buyer, item: items[0].id, path: `/admin/orders/${id}`, now };
  }

  it("are shipped in parcels, each with a carrier and tracking details", async () => {
    const { id, path, item } = await anOrder(3);
    const form = { [`quantity-${item}`]: "2", carrier: "Post", tracking_number: "", tracking_url: "" };
    const send = (more: object = {}) =>
      admin.post(`${path}/shipments`, { ...form, ...more, once: crypto.randomUUID() });
    expectRefused(await send({ carrier: "" }), 400, "must not be empty");
    expectRefused(await send({ tracking_url: "javascript:alert(1)" }), 400, "must be an https:// address");
    expectRefused(await send({ [`quantity-${item}`]: "4" }), 400, "must be at most 3, the number of unshipped units");
    expectRefused(await send({ [`quantity-${item}`]: "" }), 400, "enter the number of units sent");
    await expectDone(await send(), /remaining items are still to be sent/);
    await expectDone(await send({ [`quantity-${item}`]: "1", carrier: "Coach" }), /is now shipped/);
    const { status, shipments } = await orderNow(id);
    expect([status, shipments]).toMatchObject(["shipped", [{ carrier: "Post", trackingNumber: null }, {}]]);
    const correction = { carrier: "Courier", tracking_number: "X 2", tracking_url: "" };
    await expectDone(await admin.post(`${path}/shipments/${shipments[0]?.id}`, correction), /tracking was saved/);
    const [first, second] = (await orderNow(id)).shipments;
    expect([first, second]).toMatchObject([{ carrier: "Courier", trackingNumber: "X 2" }, { carrier: "Coach" }]);
  });

  it("are refunded once, however often the button was clicked", async () => {
    const { path, item, now, buyer } = await anOrder();
    const form = { [`quantity-${item}`]: "1", once: crypto.randomUUID(), restock: "true" };
    const answers = await Promise.all([admin.post(`${path}/refund`, form), admin.post(`${path}/refund`, form)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(await now()).toMatchObject({ refundedTotal: 1000, paymentStatus: "partially_refunded" });
    const moved = await db.select().from(transactions).where(eq(transactions.userId, buyer.id)).all();
    expect(moved.filter(({ kind }) => kind === "refund")).toHaveLength(1);
  });

  it.each<[string, { quantity?: string; amount?: string }, string, string]>([
    ["nothing", { quantity: "" }, "items", "enter units to refund, or an amount"],
    ["no unit", { quantity: "0" }, "items", "enter units to refund, or an amount"],
    ["more than were sold", { quantity: "3" }, "quantity", "only 2 are left"],
    ["half a unit", { quantity: "0.5" }, "quantity", "must be a whole number"],
    [
      "units and an amount",
      { quantity: "1", amount: "1" },
      "amount",
      "cannot be combined with units or shipping: choose one of them",
    ],
    ["more than was paid", { amount: "20.01" }, "amount", "only 20.00 is left to refund"],
    ["parts of a cent", { amount: "1.0055" }, "amount", "must have at most two decimals"],
  ])(
    "are not refunded for %s, and the error is at its field",
    async (_, { quantity = "", amount = "" }, field, words) => {
      const { path, item, now } = await anOrder();
      const name = field === "quantity" ? `quantity-${item}` : field;
      const refused = await admin.post(`${path}/refund`, { [`quantity-${item}`]: quantity, amount });
      const id = `${path.slice(1).replaceAll("/", "-")}-refund-${name}`;
      expectRefused(refused, 400, `href="#${id}"`, ` id="${id}"`);
      expect(refused.html.split(`id="${id}-errors"`)[1]?.split("</span>")[0]).toContain(words);
      expect((await now())?.refundedTotal).toBe(0);
    },
  );

  it("are refunded by an amount, which is previewed", async () => {
    const { path, item, now } = await anOrder();
    const opened = fieldsOf(await admin.get(path), `${path}/refund`);
    expect([opened[`quantity-${item}`], opened.amount]).toEqual([[""], [""]]);
    const preview = await admin.post(`${path}/refund`, { ...opened, [`quantity-${item}`]: "1", preview: "true" });
    expect(preview.html).toContain("$10.00 of $20.00 will be refunded");
    expect((await now())?.refundedTotal).toBe(0);
    const form = { ...fieldsOf(preview, `${path}/refund`), [`quantity-${item}`]: "", amount: "3.50" };
    await expectDone(await admin.post(`${path}/refund`, form), /The refund was made/);
    expect(await now()).toMatchObject({
      refundedTotal: 350,
      paymentStatus: "partially_refunded",
      status: "processing",
    });
  });

  it("are cancelled with a note, and explain what is no longer possible", async () => {
    const { path, now } = await anOrder();
    const form = { status: "cancelled", note: "The buyer called" };
    await expectDone(await admin.post(`${path}/move`, form), /is now cancelled/);
    expect(await now()).toMatchObject({ status: "cancelled", paymentStatus: "refunded" });
    const completed = { status: "completed", note: "" };
    expectRefused(await admin.post(`${path}/move`, completed), 409, "it can no longer change");
  });

  it("are paid by hand, and get another address", async () => {
    const buyer = await aUser();
    const body = orderOf(await aProduct(), 1, { payment_method: "paypal" });
    const { id } = (await call("POST /orders", { as: buyer.token, body })).body.data;
    const path = `/admin/orders/${id}`;
    const address = { "shipping_address.name": "N", "shipping_address.address": "A", "shipping_address.city": "C" };
    expectRefused(await admin.post(`${path}/address`, { ...address, "shipping_address.zip": "" }), 400, "is required");
    await expectDone(await admin.post(`${path}/address`, { ...address, "shipping_address.zip": "Z" }), /was saved/);
    await expectDone(await admin.post(`${path}/move`, { status: "processing", note: "" }), /is now processing/);
    expect(await db.select().from(orders).where(eq(orders.id, id)).get()).toMatchObject({
      paymentStatus: "paid",
      shippingAddress: { name: "N", zip: "Z" },
    });
  });
});

describe("packages", () => {
  it("are granted, extended and revoked", async () => {
    const [user, file] = [await aUser(), await aFile({ access: "package" })];
    const form = { user_id: String(user.id), name: "A gift", file_ids: [String(file.id)], download_limit: "1" };
    expectRefused(
      await admin.post("/admin/packages", { ...form, file_ids: [] }),
      400,
      "choose at least one file",
      "A gift",
    );
    expectRefused(await admin.post("/admin/packages", { ...form, user_id: "999999" }), 400, "does not exist");
    const granted = await admin.post("/admin/packages", form);
    await expectDone(granted, /A gift was granted/);
    const path = String(granted.location);
    const download = async () => (await call(`GET /download-file?file_id=${file.id}`, { as: user.token })).status;
    expect([await download(), await download()]).toEqual([200, 403]);
    await expectDone(await admin.post(path, { ...form, download_limit: "" }), /was saved/);
    expect(await download()).toBe(200);
    await expectDone(await admin.post(`${path}/revoke`), /was revoked/);
    expect(await download()).toBe(403);
    expectRefused(await admin.post(path, form), 409, "was revoked");
  });
});

describe("files", () => {
  const upload = (
    path: string,
    fields: Record<string, string>,
    content: string | Uint8Array<ArrayBuffer>,
    name: string,
  ) => {
    const body = new FormData();
    for (const [field, value] of Object.entries(fields)) body.append(field, value);
    body.append("file", new File([content], name));
    const own = { Origin: ORIGIN, "Sec-Fetch-Site": "same-origin" };
    return admin.send(
      new Request(`${ORIGIN}${path}`, { method: "POST", headers: { ...admin.headers(), ...own }, body }),
    );
  };

  it("are uploaded, described, replaced and deleted", async () => {
    const sent = { name: "Notes", access: "public", description: "", published: "true" };
    const uploaded = await upload("/admin/files", sent, "First", "notes.txt");
    await expectDone(uploaded, /Notes was uploaded/);
    const path = String(uploaded.location);
    const etag = String(fieldsOf(await admin.get(path), path).if_match);
    await expectDone(await upload(`${path}/versions`, { if_match: etag }, "Second", "notes.txt"), /now version 2/);
    expectRefused(
      await upload(`${path}/versions`, { if_match: etag }, "Third", "notes.txt"),
      412,
      "Someone else saved",
    );
    const change = { ...sent, name: "Renamed", file_name: "renamed.txt" };
    await expectDone(await admin.post(path, change), /Renamed was saved/);
    await expectDone(await admin.post(`${path}/delete`), /was deleted/);
  });

  it("that do not match their type are refused, and the typed values stay", async () => {
    const zip = new Uint8Array([0x50, 0x4b, 3, 4, 20, 0, 0, 0, 8, 0, ...new Uint8Array(40)]);
    const sent = { name: "A picture", access: "public", description: "" };
    expectRefused(await upload("/admin/files", sent, zip, "picture.png"), 400, 'value="A picture"', "zip");
    expectRefused(await upload("/admin/files", { ...sent, access: "all" }, "x", "a.txt"), 400, "must be one of");
    expect(await db.select().from(files).where(eq(files.name, "A picture")).all()).toEqual([]);
  });
});

describe("customers", () => {
  it("are credited once, however often the button was clicked", async () => {
    const { id } = await aUser();
    const form = { amount: "12.50", reason: "Sorry", once: crypto.randomUUID() };
    const path = `/admin/customers/${id}/credit`;
    await expectDone(await admin.post(path, form), /now holds 12\.50/);
    await expectDone(await admin.post(path, form), /now holds 12\.50/);
    expect((await db.select().from(users).where(eq(users.id, id)).get())?.walletBalance).toBe(1250);
    expectRefused(await admin.post(path, { amount: "-99", reason: "Too much" }), 400, "Too much");
  });

  it("are renamed and disabled, and their next request is refused", async () => {
    const user = await aUser();
    const form = { name: "Renamed", email: user.email, disabled: "true", password: "" };
    await expectDone(await admin.post(`/admin/customers/${user.id}`, form), /Renamed was saved/);
    expect((await call("GET /account/profile", { as: user.token })).status).toBe(401);
    const long = { ...form, email: `${"x".repeat(300)}@shop.test` };
    expectRefused(await admin.post(`/admin/customers/${user.id}`, long), 400, "must have at most 254 characters");
  });
});

it("are recorded in the audit log, with their author", async () => {
  const { id } = await aProduct({ stock: 5 });
  await admin.post(`/admin/products/${id}/stock`, { how: "delta", pieces: "1", reason: "Found" });
  const entry = await db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1).get();
  expect(entry).toMatchObject({ actor: `user:${admin.id}`, action: "product.adjust_stock", subjectId: id });
  expect((await admin.get(`/admin/audit-log?subject=product&subject_id=${id}`)).html).toContain("Found");
});
