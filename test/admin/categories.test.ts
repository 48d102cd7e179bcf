import { describe, expect, it } from "vitest";
import { administration } from "../support/administration.ts";

const { ask } = administration();

/** The audit log of a category, newest first: each action and its changes. */
async function logOf(id: number) {
  const { body } = await ask(`GET /admin/audit-log?subject=category&subject_id=${id}`);
  return body.data.map(({ action, before, after }: Record<string, unknown>) => [action, before, after]);
}

it("is created, edited and deleted, each with its changes in the audit log", async () => {
  const { id } = (await ask("POST /admin/categories", { name: "Desk lamps" })).body.data;
  await ask(`PUT /admin/categories/${id}`, { name: "Lamps" });
  await ask(`PUT /admin/categories/${id}`, { name: "Lights", slug: "lights" });
  await ask(`DELETE /admin/categories/${id}`);
  expect(await logOf(id)).toEqual([
    ["category.delete", { name: "Lights", slug: "lights", parent_id: null }, null],
    ["category.update", { name: "Lamps", slug: "desk-lamps" }, { name: "Lights", slug: "lights" }],
    ["category.update", { name: "Desk lamps" }, { name: "Lamps" }],
    ["category.create", null, { name: "Desk lamps", slug: "desk-lamps", parent_id: null }],
  ]);
});

describe("the tree", () => {
  const make = async (name: string, parent_id: number | null = null) =>
    (await ask("POST /admin/categories", { name, parent_id })).body.data;
  const namesOf = ({ path }: { path: { name: string }[] }) => path.map(({ name }) => name);

  it("shows the path of a category, and moves its descendants with it", async () => {
    const [clothing, sale] = [await make("Clothing"), await make("Sale")];
    const shirts = await make("Shirts", clothing.id);
    const { id } = await make("Linen shirts", shirts.id);
    const pathOf = async () => namesOf((await ask(`GET /admin/categories/${id}`)).body.data);
    expect(await pathOf()).toEqual(["Clothing", "Shirts", "Linen shirts"]);
    await ask(`PUT /admin/categories/${clothing.id}`, { name: "Clothes" });
    expect(await pathOf()).toEqual(["Clothes", "Shirts", "Linen shirts"]);
    const { status, body } = await ask(`PUT /admin/categories/${shirts.id}`, { parent_id: sale.id });
    expect([status, namesOf(body.data)]).toEqual([200, ["Sale", "Shirts"]]);
    expect(await pathOf()).toEqual(["Sale", "Shirts", "Linen shirts"]);
    const { body: below } = await ask(`GET /admin/categories?parent_id=${sale.id}`);
    expect(below.data.map(namesOf)).toEqual([["Sale", "Shirts"]]);
  });

  it("has at most five levels and no cycles, and the error names the field", async () => {
    const chain = [await make("Level 1")];
    for (const level of [2, 3, 4, 5]) chain.push(await make(`Level ${level}`, chain.at(-1).id));
    const [top, second, , , last] = chain;
    const refused = async (line: string, body: object, words: RegExp, code = "invalid") => {
      const { status, body: answer } = await ask(line, body);
      expect([status, answer.details]).toMatchObject([400, [{ field: "parent_id", code }]]);
      expect(answer.errors.parent_id).toEqual([expect.stringMatching(words)]);
    };
    await refused("POST /admin/categories", { name: "Level 6", parent_id: last.id }, /at most 5 levels/);
    await refused(`PUT /admin/categories/${top.id}`, { parent_id: second.id }, /one below it/);
    await refused(`PUT /admin/categories/${top.id}`, { parent_id: top.id }, /the category itself/);
    await refused(
      "POST /admin/categories",
      { name: "Lost", parent_id: 987_654 },
      /does not exist/,
      "unknown_reference",
    );
    const other = await make("Other");
    await refused(`PUT /admin/categories/${top.id}`, { parent_id: other.id }, /at most 5 levels/);
    expect(namesOf((await ask(`GET /admin/categories/${last.id}`)).body.data)).toHaveLength(5);
  });

  it("keeps a category that has products or children, and allows no > in names", async () => {
    const parent = await make("Keeps");
    const child = await make("Kept", parent.id);
    expect((await ask(`DELETE /admin/categories/${parent.id}`)).body).toMatchObject({ code: "in_use" });
    const { body } = await ask("POST /admin/products", {
      ...{ name: "Cap", sku: "TREE-CAP", type: "physical", price: 5, category_id: child.id },
    });
    expect((await ask(`DELETE /admin/categories/${child.id}`)).body).toMatchObject({ code: "in_use" });
    await ask(`DELETE /admin/products/${body.data.id}`);
    expect((await ask(`DELETE /admin/categories/${child.id}`)).status).toBe(204);
    expect((await ask(`DELETE /admin/categories/${parent.id}`)).status).toBe(204);
    expect((await ask("POST /admin/categories", { name: "A > B" })).status).toBe(400);
  });

  it("lists and counts the products below a category, with any search and filter", async () => {
    const home = await make("Home");
    const lamps = await make("Home lamps", home.id);
    const desk = await make("Home desk lamps", lamps.id);
    for (const [n, category_id] of [home.id, lamps.id, desk.id, null].entries()) {
      const product = { name: `Lumen ${n}`, sku: `LUMEN-${n}`, type: "physical", status: "active", price: 10 + n };
      await ask("POST /admin/products", { ...product, category_id });
    }
    const found = async (query: string) => {
      const { body } = await ask(`GET /admin/products?${query}`);
      return [body.pagination.total_items, body.data.map(({ sku }: { sku: string }) => sku)];
    };
    for (const filter of ["", "&status=active", "&search=lumen", "&in_stock=true", "&max_price=100"]) {
      expect(await found(`category=home${filter}`)).toEqual([3, ["LUMEN-2", "LUMEN-1", "LUMEN-0"]]);
      expect(await found(`category=home-lamps${filter}&sort=price`)).toEqual([2, ["LUMEN-1", "LUMEN-2"]]);
    }
    await ask(`PUT /admin/categories/${lamps.id}`, { parent_id: null });
    expect(await found("category=home")).toEqual([1, ["LUMEN-0"]]);
  });
});
