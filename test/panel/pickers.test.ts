import { describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { anAdministrator, fieldsOf, type Page } from "../support/panel.ts";
import { aFile, aPackage, aProduct, aUser, orderOf } from "../support/shop.ts";

const admin = await anAdministrator({ name: "Petra Pickerley" });
const file = await aFile();
const ada = await aUser({ name: "Ada Pickering", wallet: 100_000 });
const bea = await aUser({ name: "Bea Pickering" });
const cara = await aUser({ name: "Cara Onlyone" });
const lamp = await aProduct({
  name: "Picked Lamp",
  sku: "PICK-1",
  images: [{ url: "https://images.test/lamp.png", alt: "" }],
});
const vase = await aProduct({ name: "Picked Vase", sku: "PICK-2" });
const order = (await call("POST /orders", { as: ada.token, body: orderOf(lamp) })).body.data;
const gift = await aPackage(cara.id, [file.id]);

const NEW = "/admin/packages";
const grant = (more: Record<string, string | string[]>) =>
  admin.post(NEW, { name: "A gift", file_ids: [String(file.id)], ...more });

/** The values that a page offers for a field, and whether each is selected. */
const offered = ({ html }: Page, name: string) =>
  [...html.matchAll(new RegExp(`<input type="(?:radio|checkbox)" name="${name}" value="([^"]+)"( checked)?`, "g"))].map(
    ([, value, checked]) => [value, checked !== undefined],
  );

describe("a field that takes a customer", () => {
  it.each([
    ["a surname", "onlyone"],
    ["an e-mail address", cara.email],
    ["an id", String(cara.id)],
    ["an id with #", `#${cara.id}`],
  ])("finds them by %s", async (_, typed) => {
    const { status, location } = await grant({ "find.user_id": typed });
    expect(status).toBe(303);
    expect((await admin.get(String(location))).html).toContain("Cara Onlyone");
  });

  it("shows the candidates, of whom one is chosen", async () => {
    const refused = await grant({ "find.user_id": "Pickering" });
    expect(refused.status).toBe(400);
    expect(refused.html).toContain(`href="#admin-packages-user_id"`);
    expect(refused.html).toContain("“Pickering” matches several. Choose one");
    expect(refused.html).toContain(bea.email);
    expect(offered(refused, "user_id")).toEqual([
      [String(bea.id), false],
      [String(ada.id), false],
    ]);
    const form = fieldsOf(refused, NEW);
    expect(form["find.user_id"]).toEqual([""]);
    const chosen = await admin.post(NEW, { ...form, user_id: String(ada.id) });
    expect((await admin.get(String(chosen.location))).html).toContain("Ada Pickering");
  });

  it("keeps a typed text that matches nobody, and says so at the field", async () => {
    const refused = await grant({ "find.user_id": "<b>Nobody" });
    expect(refused.status).toBe(400);
    expect(refused.html).toContain("no results for “&lt;b&gt;Nobody”");
    expect(fieldsOf(refused, NEW)["find.user_id"]).toEqual(["<b>Nobody"]);
    expect(fieldsOf(refused, NEW).name).toEqual(["A gift"]);
    expect((await grant({ "find.user_id": "x".repeat(300) })).status).toBe(400);
    expect((await grant({})).html).toContain(`id="admin-packages-user_id-errors"`);
  });

  it("matches an e-mail address only exactly", async () => {
    await aUser({ name: "nobody@picked.example" });
    await aUser({ name: "Nora Picked-Example" });
    for (const typed of ["nobody@picked.example", "nora@picked.example"]) {
      const refused = await grant({ "find.user_id": typed });
      expect(refused.status).toBe(400);
      expect(offered(refused, "user_id")).toEqual([]);
    }
    expect((await grant({ "find.user_id": cara.email.toUpperCase() })).status).toBe(303);
  });

  it("shows the chosen customer after other errors, or when their page leads here", async () => {
    const refused = await grant({ "find.user_id": "onlyone", name: "" });
    expect(offered(refused, "user_id")).toEqual([[String(cara.id), true]]);
    const fromTheirs = await admin.get(`/admin/packages/new?user_id=${cara.id}`);
    expect(offered(fromTheirs, "user_id")).toEqual([[String(cara.id), true]]);
    expect(fromTheirs.html).toContain("Cara Onlyone");
    const another = await grant({ user_id: String(cara.id), "find.user_id": ada.email });
    expect((await admin.get(String(another.location))).html).toContain("Ada Pickering");
  });
});

const discount = { name: "Picked", kind: "percentage", percent: "10", priority: "0", enabled: "true" };
const covers = async (location: string | null) => {
  const id = String(location).split("/").at(-1);
  return (await call(`GET /admin/discounts/${id}`, { as: admin.token })).body.data.product_ids;
};

describe("a field that takes products", () => {
  it("adds typed products to the chosen ones", async () => {
    const sent = { ...discount, product_ids: String(vase.id), "find.product_ids": "pick-1, Picked Vase" };
    const { status, location } = await admin.post("/admin/discounts", sent);
    expect(status).toBe(303);
    expect((await covers(location)).sort()).toEqual([lamp.id, vase.id].sort());
    const page = await admin.get(String(location));
    expect(page.html).toContain('src="https://images.test/lamp.png"');
    const form = fieldsOf(page, String(location));
    expect(form.product_ids).toHaveLength(2);
    const saved = await admin.post(String(location), { ...form, product_ids: String(lamp.id) });
    expect(saved.status).toBe(303);
    expect(await covers(location)).toEqual([lamp.id]);
  });

  it("shows the found products, the candidates and what matched nothing, all to be sent again", async () => {
    const typed = { ...discount, "find.product_ids": "PICK-1, picked, unheard" };
    const refused = await admin.post("/admin/discounts", typed);
    expect(refused.status).toBe(400);
    expect(offered(refused, "product_ids")).toEqual([
      [String(lamp.id), true],
      [String(vase.id), false],
    ]);
    expect(fieldsOf(refused, "/admin/discounts")["find.product_ids"]).toEqual(["unheard"]);
  });
});

describe("a field with more entries than are searched at once", () => {
  it("keeps the others, to be sent again", async () => {
    const many = await Promise.all(
      Array.from({ length: 22 }, (_, at) => aProduct({ sku: `PM-${at}`, name: `Many ${at}` })),
    );
    const typed = { ...discount, "find.product_ids": many.map(({ sku }) => sku).join(",") };
    const refused = await admin.post("/admin/discounts", typed);
    expect(refused.status).toBe(400);
    expect(refused.html).toContain("only 20 can be searched for at a time");
    const form = fieldsOf(refused, "/admin/discounts");
    expect(form["find.product_ids"]).toEqual(["PM-20, PM-21"]);
    const { location } = await admin.post("/admin/discounts", form);
    expect((await covers(location)).sort()).toEqual(many.map(({ id }) => id).sort());
  });
});

describe("the filters of a list", () => {
  it("lead to the list of the typed record, by its id", async () => {
    const { status, location } = await admin.get("/admin/packages?find.user_id=onlyone&status=active&page=");
    expect(status).toBe(303);
    expect(location).toBe(`/admin/packages?status=active&user_id=${cara.id}`);
    const shown = await admin.get(String(location));
    expect(offered(shown, "user_id")).toEqual([[String(cara.id), true]]);
    expect(shown.html).toContain(`/admin/packages/${gift.id}`);
    const byNumber = await admin.get(`/admin/transactions?find.order_id=${encodeURIComponent(order.number)}`);
    expect(byNumber.location).toBe(`/admin/transactions?order_id=${order.id}`);
    expect((await admin.get(String(byNumber.location))).html).toContain("charge");
  });

  it("offer the candidates", async () => {
    const page = await admin.get("/admin/packages?find.user_id=Pickering");
    expect(page.status).toBe(400);
    expect(offered(page, "user_id")).toHaveLength(2);
    expect((await admin.get("/admin/packages?find.order_id=unheard")).html).toContain("no results for");
  });

  it("accept an author of the audit log by name, and entries of any kind", async () => {
    const actor = await admin.get(`/admin/audit-log?find.actor=${admin.email}`);
    expect(actor.location).toBe(`/admin/audit-log?actor=user%3A${admin.id}`);
    expect((await admin.get(String(actor.location))).html).toContain("Petra Pickerley");
    expect((await admin.get("/admin/audit-log?actor=system")).html).toMatch(/value="system" checked/);
    const subject = await admin.get("/admin/audit-log?find.subject_id=PICK-2");
    expect(subject.location).toBe(`/admin/audit-log?subject_id=${vase.id}&subject=product`);
    expect((await admin.get(String(subject.location))).html).toContain("Picked Vase");
    const among = await admin.get(`/admin/audit-log?find.subject_id=picker`);
    expect(offered(among, "subject_id")).toContainEqual([`user:${ada.id}`, false]);
    const otherwise = await admin.get(`/admin/audit-log?subject=order&subject_id=user:${ada.id}`);
    expect(otherwise.location).toBe("/admin/audit-log?subject=order");
  });

  it("accept a number that matches no name", async () => {
    const { status, html } = await admin.get("/admin/audit-log?subject=category&subject_id=3");
    expect(status).toBe(200);
    expect(html).toMatch(/name="subject_id" value="3" checked/);
    const typed = await admin.get("/admin/audit-log?subject=category&find.subject_id=3");
    expect(typed.location).toBe("/admin/audit-log?subject=category&subject_id=3");
  });
});

describe("suggestions while typing", () => {
  const valuesIn = ({ html }: Page) => [...html.matchAll(/data-value="([^"]+)"/g)].map(([, value]) => value);

  it("are records of the field's kinds, with their images", async () => {
    const products = await admin.get("/admin/pick?kinds=product&q=picked");
    expect(valuesIn(products).sort()).toEqual([String(lamp.id), String(vase.id)].sort());
    expect(products.html).toContain('src="https://images.test/lamp.png"');
    expect(valuesIn(await admin.get("/admin/pick?kinds=user,api_key&references=true&q=onlyone"))).toEqual([
      `user:${cara.id}`,
    ]);
    expect(valuesIn(await admin.get("/admin/pick?kinds=&q=onlyone"))).toEqual([]);
    const nothing = await admin.get("/admin/pick?kinds=user&q=");
    expect([nothing.status, nothing.html]).toEqual([200, ""]);
  });

  it("are empty for kinds that the role may not read", async () => {
    const catalogue = await anAdministrator({ role: "catalogue" });
    expect(valuesIn(await catalogue.get("/admin/pick?kinds=user,order,api_key&q=onlyone"))).toEqual([]);
    expect(valuesIn(await catalogue.get("/admin/pick?kinds=user,product&q=PICK-2"))).toEqual([String(vase.id)]);
    const support = await anAdministrator({ role: "support" });
    expect(valuesIn(await support.get(`/admin/pick?kinds=user&q=${admin.id}`))).toEqual([]);
    const refused = await support.post(NEW, { name: "A", file_ids: [String(file.id)], "find.user_id": admin.email });
    expect(refused.status).toBe(400);
    expect((await support.get(`/admin/packages?user_id=${admin.id}`)).html).not.toContain("Pickerley");
  });
});
