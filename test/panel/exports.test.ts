import { describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { anAdministrator } from "../support/panel.ts";
import { aCategory, aFile, aProduct, aUser, orderOf } from "../support/shop.ts";

const admin = await anAdministrator();
const category = await aCategory("Exported");
const file = await aFile({ name: "Exported manual", access: "package" });
await aFile({ name: "Exported picture", access: "public" });
const product = await aProduct({ name: "Exported lamp", categoryId: category.id, stock: 3, fileIds: [file.id] });
await aProduct({ name: "Exported advice", type: "service", requiresShipping: false, status: "draft", stock: null });
const buyer = await aUser({ wallet: 100_000, name: "Ada Exported" });
await aUser({ role: "viewer", name: "Vic Exported" });
const order = (await call("POST /orders", { as: buyer.token, body: orderOf(product) })).body.data;
await call("POST /orders", {
  as: buyer.token,
  body: { ...orderOf(product), payment_method: "paypal" },
});
await call(`POST /admin/users/${buyer.id}/credit`, { as: admin.token, body: { amount: 5, reason: "For once" } });
await call(`PUT /admin/products/${product.id}`, { as: admin.token, body: { description: "New" } });

/** Each list, with the name of its first export, the column that identifies a row, and the target of a row's link. */
const lists = [
  { page: "audit-log", list: "audit-log", needs: [], rows: /<tr><td data-label="When"()/g },
  { page: "products", list: "products", needs: ["support", "catalogue"], rows: /href="\/admin\/products\/(\d+)"/g },
  { page: "orders", list: "orders", needs: ["support"], rows: /href="\/admin\/orders\/(\d+)"/g },
  { page: "orders", list: "order-lines", needs: ["support"], rows: /href="\/admin\/orders\/(\d+)"/g },
  { page: "customers", list: "customers", needs: ["support"], rows: /href="\/admin\/customers\/(\d+)"/g },
  { page: "transactions", list: "transactions", needs: ["support"], rows: /<tr><td data-label="When"()/g },
  { page: "files", list: "files", needs: ["support", "catalogue"], rows: /href="\/admin\/files\/(\d+)"/g },
];

const unescaped = (text: string) => text.replaceAll("&amp;", "&");

const exportOf = (html: string, list: string, format: string) =>
  unescaped(new RegExp(`href="(/admin/exports/${list}/${format}[^"]*)"`).exec(html)?.[1] ?? "no link");

/** Values for the page's filters, one at a time: every option of a list, and an example for every text field. */
function filtersIn(html: string): [name: string, value: string][] {
  const form = html.split('<form class="filters"')[1]?.split("</form>")[0] ?? "";
  const options = [...form.matchAll(/<select[^>]* name="([^"]+)"[^>]*>(.*?)<\/select>/gs)].flatMap(
    ([, name = "", all = ""]) =>
      [...all.matchAll(/<option value="([^"]+)"/g)].map(([, value = ""]): [string, string] => [name, value]),
  );
  const typed: Record<string, string> = {
    search: "Exported",
    tag: "exported",
    brand: "Exported",
    min_spent: "1",
    max_spent: "1000",
    min_orders: "1",
    max_orders: "9",
    from: "2020-01-01",
    to: "2020-01-02",
    user_id: String(buyer.id),
    order_id: String(order.id),
    actor: `user:${admin.id}`,
    subject_id: String(product.id),
  };
  const fields = [...form.matchAll(/<input[^>]* name="([^"]+)"/g)].map(([, name = ""]): [string, string] => {
    const field = name.replace("find.", "");
    const value = typed[field];
    if (value === undefined) throw new Error(`What is typed into ${field}?`);
    return [field, value];
  });
  return [...options, ...fields];
}

/** The text without the audit entries that exports themselves cause. */
const compared = (list: string, text: string) =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .filter((row) => list !== "audit-log" || row.action !== "shop.export");

describe.each(lists)("the export of $list", ({ page, list, needs, rows }) => {
  const shownIn = (html: string): string[] => {
    const body = (html.split("<tbody>")[1] ?? "").split("</tbody>")[0] ?? "";
    const found = [...body.matchAll(rows)].map(([, id = ""]) => id);
    return list === "audit-log"
      ? found.slice(0, found.length - (body.match(/Exported data of shop/g)?.length ?? 0))
      : found;
  };

  it("has the rows that the list shows, with each of its filters", async () => {
    const { html } = await admin.get(`/admin/${page}`);
    const filters = filtersIn(html);
    expect(filters.length).toBeGreaterThan(1);
    for (const filter of [[], ...filters.map((each) => [each])]) {
      const query = new URLSearchParams(filter);
      const shown = await admin.get(`/admin/${page}?per_page=100&${query}`);
      const exported = await admin.get(exportOf(shown.html, list, "ndjson"));
      const about = `${page}?${query}: ${exported.status === 200 ? "" : exported.html}`;
      expect([shown.status, exported.status], about).toEqual([200, 200]);
      const taken = compared(list, exported.html);
      const expected = shownIn(shown.html);
      if (expected[0] === "") expect(taken.length, about).toBe(expected.length);
      else {
        const ids = new Set(taken.map((row) => String(list === "order-lines" ? row.order_id : row.id)));
        expect([...ids].sort(), about).toEqual([...new Set(expected)].sort());
      }
    }
  });

  it("is also available as CSV to anyone who may read the list", async () => {
    const path = exportOf((await admin.get(`/admin/${page}`)).html, list, "csv");
    expect(path).toBe(`/admin/exports/${list}/csv`);
    const { headers } = await admin.get(path);
    expect(headers.get("Content-Disposition")).toBe(`attachment; filename="${list}.csv"`);
    for (const role of ["support", "catalogue"] as const) {
      const { status } = await (await anAdministrator({ role })).get(path);
      expect(status, role).toBe(needs.includes(role) ? 200 : 403);
    }
  });
});

it("omits the page of the list", async () => {
  const { html } = await admin.get("/admin/products?page=1&sort=name&search=lamp");
  expect(exportOf(html, "products", "csv")).toBe("/admin/exports/products/csv?search=lamp&sort=name");
});
