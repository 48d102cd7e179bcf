import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { files, products } from "../../src/platform/db/schema.ts";
import { call } from "../support/call.ts";
import { anAdministrator, fieldsOf, type Page } from "../support/panel.ts";
import { aDiscount } from "../support/pricing.ts";
import { aCategory, aFile, aKey, aPackage, aProduct, aUser, db, orderOf } from "../support/shop.ts";

// Two people edit the same record in the panel, with every kind of form.

type Administrator = Awaited<ReturnType<typeof anAdministrator>>;
type Case = {
  page: string;
  action?: string;
  /** A field, its value, and the value that each of the two people types. */
  field: string;
  label: string;
  theirs: string;
  mine: string;
};

let cases: Record<string, Case>;
let admin: Administrator;

beforeAll(async () => {
  admin = await anAdministrator();
  const product = await aProduct();
  const category = await aCategory("Lamps");
  const file = await aFile();
  const holder = await aUser({ wallet: 10_000 });
  const order = await call("POST /orders", { as: holder.token, body: orderOf(product) });
  const named = { field: "name", label: "Name", theirs: "Named by them", mine: "Named by me" };
  const orderPage = `/admin/orders/${order.body.data.id}`;
  cases = {
    product: { page: `/admin/products/${product.id}`, ...named },
    category: { page: `/admin/categories/${category.id}`, ...named },
    discount: { page: `/admin/discounts/${(await aDiscount()).id}`, ...named },
    file: { page: `/admin/files/${file.id}`, ...named },
    package: { page: `/admin/packages/${(await aPackage(holder.id, [file.id])).id}`, ...named },
    customer: { page: `/admin/customers/${holder.id}`, ...named },
    "API key": { page: `/admin/api-keys/${(await aKey({ permissions: ["read"] })).id}`, ...named },
    "order's address": {
      page: orderPage,
      action: `${orderPage}/address`,
      field: "shipping_address.city",
      label: "City",
      theirs: "Their city",
      mine: "My city",
    },
  };
});

const words = ({ html }: Page) => html.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");

/** The version sent by the page's button to overwrite. */
const overwriting = ({ html }: Page) => /name="overwrite" value="&quot;(\w+)&quot;"/.exec(html)?.[1];

describe.each(["product", "category", "discount", "file", "package", "customer", "API key", "order's address"])(
  "a form of a %s that somebody else saved meanwhile",
  (name) => {
    it("is refused until it overwrites, and shows the differences", async () => {
      const { page, action = page, field, label, theirs, mine } = cases[name] ?? expect.fail();
      const form = { ...fieldsOf(await admin.get(page), action), [field]: mine };
      const other = fieldsOf(await admin.get(page), action);
      expect((await admin.post(action, { ...other, [field]: theirs })).status).toBe(303);

      const refused = await admin.post(action, form);
      expect(refused.status).toBe(412);
      expect(words(refused)).toContain("Someone else saved a change");
      expect(words(refused)).toMatch(new RegExp(`${label} ${theirs} ${mine} Discard my changes and reload`));
      expect(refused.html).toContain(`href="${page}" data-discard`);
      expect(fieldsOf(refused, action)[field]).toEqual([mine]);

      const again = await admin.post(action, fieldsOf(refused, action));
      expect(again.status).toBe(412);
      expect(words(again)).toMatch(new RegExp(`${label} ${theirs} ${mine} Discard`));
      expect(fieldsOf(await admin.get(page), action)[field]).toEqual([theirs]);

      const overwrite = `"${overwriting(again)}"`;
      expect((await admin.post(action, { ...fieldsOf(again, action), overwrite })).status).toBe(303);
      expect(fieldsOf(await admin.get(page), action)[field]).toEqual([mine]);
    });
  },
);

/** A product with an open form, and its current row. */
async function anOpenProduct() {
  const { id } = await aProduct({ stock: 5 });
  const page = `/admin/products/${id}`;
  const now = () => db.select().from(products).where(eq(products.id, id)).get();
  const theirs = (body: Record<string, unknown>) => call(`PUT ${page}`, { as: admin.token, body });
  return { page, form: fieldsOf(await admin.get(page), page), now, theirs };
}

it("overwriting keeps the other person's changes to untouched fields", async () => {
  const { page, form, now, theirs } = await anOpenProduct();
  await theirs({ name: "Their name", description: "Their words", price: 33 });
  const refused = await admin.post(page, { ...form, name: "My name" });
  expect(words(refused)).toMatch(/Price 33\.00 not changed by you: theirs stays/);
  await admin.post(page, { ...fieldsOf(refused, page), overwrite: `"${overwriting(refused)}"` });
  expect(await now()).toMatchObject({ name: "My name", description: "Their words", price: 3300 });
});

it("overwriting is refused if a third edit came before it", async () => {
  const { page, form, now, theirs } = await anOpenProduct();
  await theirs({ name: "Second" });
  const refused = await admin.post(page, { ...form, name: "Mine" });
  await theirs({ name: "Third" });
  const overwrite = `"${overwriting(refused)}"`;
  const again = await admin.post(page, { ...fieldsOf(refused, page), overwrite });
  expect(again.status).toBe(412);
  expect(words(again)).toMatch(/Name Third Mine/);
  expect((await now())?.name).toBe("Third");
});

it("a form that was refused for another reason does not overwrite changes saved before it was corrected", async () => {
  const { page, form, now, theirs } = await anOpenProduct();
  await theirs({ name: "Theirs" });
  const refused = await admin.post(page, { ...form, name: "Mine", price: "1.0055" });
  expect([refused.status, words(refused).includes("must have at most two decimals")]).toEqual([400, true]);
  expect((await admin.post(page, { ...fieldsOf(refused, page), price: "2" })).status).toBe(412);
  expect((await now())?.name).toBe("Theirs");
});

it("differences between selected options and boxes are shown by their labels", async () => {
  const { page, form, theirs } = await anOpenProduct();
  await theirs({ status: "draft", manage_stock: false });
  const refused = await admin.post(page, { ...form, type: "digital" });
  expect(words(refused)).toMatch(/Type Physical Digital/);
  expect(words(refused)).toMatch(/Status Draft: not in the shop not changed by you/);
  expect(words(refused)).toMatch(/Manage stock no not changed by you/);
});

it("a deletion is refused if the page shows an older version, however often it is submitted", async () => {
  const { page, now, theirs } = await anOpenProduct();
  const action = `${page}/delete`;
  const form = fieldsOf(await admin.get(page), action);
  await theirs({ name: "Still wanted" });
  const refused = await admin.post(action, form);
  const again = await admin.post(action, fieldsOf(refused, action));
  expect([refused.status, again.status, (await now())?.name]).toEqual([412, 412, "Still wanted"]);
  expect((await admin.post(action, { ...form, overwrite: `"${overwriting(again)}"` })).status).toBe(303);
  expect(await now()).toBeUndefined();
});

it("an unchanged form is not saved, and says so", async () => {
  const { page, form, now } = await anOpenProduct();
  const before = await now();
  const answer = await admin.post(page, form);
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, page]);
  expect(words(await admin.get(page))).toContain("Nothing changed");
  expect(await now()).toEqual(before);
});

it("a form saves only the fields that were changed in it", async () => {
  const file = await aFile();
  const page = `/admin/files/${file.id}`;
  await admin.post(page, { ...fieldsOf(await admin.get(page), page), name: "Renamed" });
  const log = await call(`GET /admin/audit-log?subject=file&subject_id=${file.id}`, { as: admin.token });
  expect(log.body.data[0].after).toEqual({ name: "Renamed" });
  expect((await db.select().from(files).where(eq(files.id, file.id)).get())?.name).toBe("Renamed");
});
