import { exports } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { orders, pageVersions } from "../../src/platform/db/schema.ts";
import { anAddress, call, ORIGIN } from "../support/call.ts";
import { anAdministrator, fieldsOf } from "../support/panel.ts";
import { noRules, settleShop } from "../support/pricing.ts";
import { asAdministrator } from "../support/settings.ts";
import { aKey, aProduct, aUser, db, onPurpose, orderOf } from "../support/shop.ts";

const write = async (path: string, body: object) =>
  call(`PUT /admin/pages/${path}`, { as: await asAdministrator(), body });

const read = async (path: string) => call(`GET /pages${path}`, { as: (await aKey()).key });

beforeEach(async () => {
  await noRules();
  await settleShop({ homeCountry: "DE", language: "en", termsRequired: false });
});

describe("a page", () => {
  it("is written in several languages, and read in the reader's, the shop's or any", async () => {
    await settleShop({ language: "de" });
    await write("imprint/fr", { title: "Mentions légales", text: "**Lampe & Cie**" });
    await write("imprint/de", { title: "Impressum", text: "Lampe & Co" });
    await write("privacy/es", { title: "Privacidad", text: "Nada." });
    const french = await read("/imprint?language=fr");
    expect(french.body.data).toMatchObject({ language: "fr", text_html: "<p><strong>Lampe &amp; Cie</strong></p>" });
    expect((await read("/imprint?language=es")).body.data.title).toBe("Impressum");
    expect((await read("/privacy?language=fr")).body.data.title).toBe("Privacidad");
    const { data } = (await read("?language=fr")).body;
    expect(data.map(({ slug, language }: Record<string, string>) => `${slug} ${language}`)).toEqual([
      "privacy es",
      "imprint fr",
    ]);
    expect((await read("/shipping")).status).toBe(404);
  });

  it("has a version for each change, which stays readable", async () => {
    const first = (await write("returns/en", { title: "Returns", text: "30 days" })).body.data.version;
    const second = (await write("returns/en", { text: "14 days" })).body.data;
    expect(second).toMatchObject({ title: "Returns", text: "14 days" });
    expect((await write("returns/en", { title: "Returns" })).body.data.version).toBe(second.version);
    expect((await read("/returns")).body.data.version).toBe(second.version);
    expect((await read(`/returns?version=${first}`)).body.data.text).toBe("30 days");
    expect((await read(`/terms?version=${first}`)).status).toBe(404);
  });

  it("is withdrawn by an empty text", async () => {
    const { version } = (await write("shipping/en", { title: "Shipping", text: "By post" })).body.data;
    await write("shipping/en", { text: "" });
    expect((await read("/shipping")).status).toBe(404);
    expect((await read(`/shipping?version=${version}`)).body.data.text).toBe("By post");
  });

  it("is refused without a title, in an unknown language, or at a slug that shops do not have", async () => {
    const before = await db.$count(pageVersions);
    const { body } = await write("privacy/de", { text: "…" });
    expect(body.details).toEqual([{ field: "title", code: "required" }]);
    expect((await write("privacy/it", { title: "Privacy", text: "…" })).status).toBe(400);
    expect((await write("about/en", { title: "About", text: "…" })).status).toBe(400);
    expect(await db.$count(pageVersions)).toBe(before);
  });

  it("never changes in the database", async () => {
    await write("withdrawal/en", { title: "Withdrawal", text: "One" });
    await expect(db.update(pageVersions).set({ text: "Two" })).rejects.toThrow();
    await expect(db.delete(pageVersions)).rejects.toThrow();
  });
});

describe("terms", () => {
  const place = async (body: Record<string, unknown> = {}) => {
    const [buyer, lamp] = [await aUser({ wallet: 100_000 }), await aProduct()];
    return call("POST /orders", { as: buyer.token, body: orderOf(lamp, 1, body) });
  };

  const newest = async (text = "Two") => Number((await write("terms/de", { title: "AGB", text })).body.data.version);

  it("are accepted in the version that the quote names, and an order keeps it", async () => {
    const version = await newest("One");
    await settleShop({ termsRequired: true });
    const [buyer, lamp] = [await aUser({ wallet: 100_000 }), await aProduct()];
    const items = [{ product_id: lamp.id, quantity: 1 }];
    const { terms } = (await call("POST /checkout/quote", { as: buyer.token, body: { items } })).body.data;
    expect(terms).toMatchObject({ slug: "terms", language: "de", version, title: "AGB" });
    const placed = await place({ accepted_terms: version });
    expect([placed.status, placed.body.data.accepted_terms]).toEqual([201, version]);
    await newest("Two");
    expect((await read(`/terms?version=${placed.body.data.accepted_terms}`)).body.data.text).toBe("One");
  });

  it("are required only if the shop says so and has some", async () => {
    await settleShop({ termsRequired: true });
    await write("terms/de", { title: "AGB", text: "" });
    expect((await place()).status).toBe(201);
    await newest("Needed");
    const refused = await place();
    expect([refused.status, refused.body.details]).toEqual([400, [{ field: "accepted_terms", code: "required" }]]);
    await settleShop({ termsRequired: false });
    expect((await place()).status).toBe(201);
  });

  it("are refused in a version that changed since, also where an order is priced without reading", async () => {
    const outdated = await newest("Before");
    await settleShop({ termsRequired: true });
    const [buyer, lamp] = [await aUser({ wallet: 100_000 }), await aProduct()];
    const again = (version: number) =>
      call("POST /orders", {
        as: buyer.token,
        body: orderOf(lamp, 1, { accepted_terms: version }),
        headers: onPurpose(),
      });
    expect([(await again(outdated)).status, (await again(outdated)).status]).toEqual([201, 201]);
    await newest("After");
    const before = await db.$count(orders);
    const refused = await again(outdated);
    expect([refused.status, refused.body.details]).toEqual([400, [{ field: "accepted_terms", code: "stale" }]]);
    expect((await again(999_999)).body.details).toEqual([{ field: "accepted_terms", code: "stale" }]);
    expect(await db.$count(orders)).toBe(before);
  });

  it("are not asked of staff", async () => {
    await newest("For buyers");
    await settleShop({ termsRequired: true });
    const body = {
      customer: { email: "desk@pages.test", name: "Desk" },
      items: [{ product_id: (await aProduct({ requiresShipping: false, type: "service" })).id, quantity: 1 }],
      payment_method: "cash",
    };
    expect((await call("POST /admin/orders", { as: await asAdministrator(), body })).status).toBe(201);
  });
});

describe("pages of the deployment", () => {
  const get = async (path: string, language = "en") =>
    exports.default.fetch(
      new Request(ORIGIN + path, { headers: { "CF-Connecting-IP": anAddress(), "Accept-Language": language } }),
    );

  it("show a page in the visitor's language, and an earlier version", async () => {
    const { version } = (await write("imprint/de", { title: "Impressum", text: "## Anschrift\n<b>Berlin" })).body.data;
    await write("imprint/en", { title: "Imprint", text: "Berlin" });
    const german = await (await get("/account/pages/imprint", "de")).text();
    expect(german).toContain("<h2>Anschrift</h2>");
    expect(german).toContain("&lt;b&gt;Berlin");
    expect(await (await get("/account/pages/imprint")).text()).toContain("<h1>Imprint</h1>");
    expect(await (await get(`/account/pages/imprint?version=${version}`)).text()).toContain("<h1>Impressum</h1>");
    expect((await get("/account/pages/cookies")).status).toBe(400);
    expect((await get("/account/pages/shipping")).status).toBe(404);
  });

  it("are linked at the foot of every page for buyers", async () => {
    await write("privacy/en", { title: "Privacy <policy>", text: "Nothing." });
    const page = await (await get("/account/forgot")).text();
    expect(page).toContain('<a href="/account/pages/privacy">Privacy &lt;policy&gt;</a>');
  });

  it("are written by staff in the panel, one language at a time", async () => {
    const admin = await anAdministrator();
    const path = "/admin/pages/shipping/fr";
    const opened = await admin.get(path);
    const saved = await admin.post(path, { ...fieldsOf(opened, path), title: "Livraison", text: "## Délais\n3 jours" });
    expect(saved.location).toBe(path);
    expect((await read("/shipping?language=fr")).body.data).toMatchObject({ title: "Livraison", language: "fr" });
    const shown = await admin.get(path);
    expect(shown.html).toContain("/account/pages/shipping?version=");
    expect((await admin.get("/admin/pages")).html).toContain("French");
  });
});
