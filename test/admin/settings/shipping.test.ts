import { describe, expect, it } from "vitest";
import { administration } from "../../support/administration.ts";
import { expectRefusal } from "../../support/refusal.ts";
import { aMethod, aZone } from "../../support/settings.ts";

const { ask } = administration();

const logOf = async (subject: string, id: number) =>
  (await ask(`GET /admin/audit-log?subject=${subject}&subject_id=${id}`)).body.data.map(
    ({ action, before, after }: Record<string, unknown>) => [action, before, after],
  );

const countOf = async (path: string) => (await ask(`GET /admin/${path}`)).body.pagination.total_items;

describe("a shipping zone", () => {
  it("is created, edited and deleted, each with its changes in the audit log", async () => {
    const places = [{ country: "US", region: "new york" }, { country: "ca" }, { country: "US", region: "NY" }];
    const zone = await aZone({ name: "North America", places });
    expect(zone).toMatchObject({
      name: "North America",
      places: [
        { country: "CA", region: null },
        { country: "US", region: "NY" },
      ],
      rest_of_world: false,
    });
    const path = `/admin/shipping-zones/${zone.id}`;
    const edited = await ask(`PUT ${path}`, { places: [{ country: "MX" }], rest_of_world: true });
    expect((await ask(`GET ${path}`)).body.data).toEqual(edited.body.data);
    expect((await ask(`DELETE ${path}`)).status).toBe(204);
    const [deletion, update, creation] = await logOf("shipping_zone", zone.id);
    const [mexico, before] = [{ places: [{ country: "MX", region: null }], rest_of_world: true }, zone.places];
    expect(creation).toEqual(["shipping_zone.create", null, { name: zone.name, places: before, rest_of_world: false }]);
    expect(update).toEqual(["shipping_zone.update", { places: before, rest_of_world: false }, mexico]);
    expect(deletion).toEqual(["shipping_zone.delete", { name: zone.name, ...mexico }, null]);
  });

  it("names the places in the request that belong to another zone", async () => {
    await aZone({ name: "Benelux", places: [{ country: "BE" }, { country: "NL" }] });
    const before = await countOf("shipping-zones");
    const places = [{ country: "NO" }, { country: "NL" }, { country: "DK" }, { country: "BE" }];
    const refused = await ask("POST /admin/shipping-zones", { name: "North", places });
    expectRefusal(refused, 400);
    expect(refused.body).toMatchObject({
      code: "place_taken",
      errors: { "places.1": ["belongs to the zone Benelux"], "places.3": ["belongs to the zone Benelux"] },
      details: [
        { field: "places.1", code: "place_taken" },
        { field: "places.3", code: "place_taken" },
      ],
    });
    expect(await countOf("shipping-zones")).toBe(before);
    const { id } = await aZone({ places: [{ country: "NO" }] });
    expectRefusal(await ask(`PUT /admin/shipping-zones/${id}`, { places: places.slice(0, 2) }), 400, "places.1");
    expect((await ask(`GET /admin/shipping-zones/${id}`)).body.data.places).toHaveLength(1);
  });

  it("may contain a region of another zone's country, and releases the places that it loses", async () => {
    const spain = await aZone({ places: [{ country: "ES" }] });
    const islands = await aZone({ places: [{ country: "ES", region: "CN" }] });
    expect(islands.places).toEqual([{ country: "ES", region: "CN" }]);
    await ask(`PUT /admin/shipping-zones/${spain.id}`, { places: [{ country: "PT" }] });
    await ask(`PUT /admin/shipping-zones/${islands.id}`, { places: [{ country: "ES" }] });
    await ask(`DELETE /admin/shipping-zones/${islands.id}`);
    const both = [{ country: "PT" }, { country: "ES" }];
    expect((await ask(`PUT /admin/shipping-zones/${spain.id}`, { places: both })).status).toBe(200);
  });

  it("can be the rest of the world only once", async () => {
    await aZone({ rest_of_world: true });
    const refused = await ask("POST /admin/shipping-zones", { name: "Everywhere", rest_of_world: true });
    expectRefusal(refused, 400, "rest_of_world");
    expect(refused.body.code).toBe("place_taken");
  });

  it("cannot be deleted while it has methods", async () => {
    const { id, zone_id } = await aMethod();
    const refused = await ask(`DELETE /admin/shipping-zones/${zone_id}`);
    expect([refused.status, refused.body.code]).toEqual([409, "in_use"]);
    await ask(`DELETE /admin/shipping-methods/${id}`);
    expect((await ask(`DELETE /admin/shipping-zones/${zone_id}`)).status).toBe(204);
  });

  it("is listed by name, and the rest of the world last", async () => {
    const { data } = (await ask("GET /admin/shipping-zones?per_page=100")).body;
    const names = data.map(({ name, rest_of_world }: Record<string, unknown>) => [rest_of_world, name]);
    const sorted = names.toSorted(
      (one: [boolean, string], other: [boolean, string]) =>
        Number(one[0]) - Number(other[0]) || one[1].localeCompare(other[1], "en", { numeric: false }),
    );
    expect(names).toEqual(sorted);
    expect(names.at(-1)[0]).toBe(true);
  });

  it.each([
    ["name", { name: "" }],
    ["places.0.country", { name: "x", places: [{ country: "Germany" }] }],
    ["places.1.region", { name: "x", places: [{ country: "SE" }, { country: "US", region: "Bavaria" }] }],
    ["places.0.state", { name: "x", places: [{ country: "SE", state: "x" }] }],
    ["places", { name: "x", places: Array.from({ length: 401 }, () => ({ country: "SE" })) }],
    ["rest_of_world", { name: "x", rest_of_world: 1 }],
  ])("is refused for its %s", async (field, body) => {
    const before = await countOf("shipping-zones");
    expectRefusal(await ask("POST /admin/shipping-zones", body), 400, field);
    expect(await countOf("shipping-zones")).toBe(before);
  });
});

describe("a shipping method", () => {
  const brackets = [
    { up_to_grams: 1000, price: 4.9 },
    { up_to_grams: 5000, price: 8.9 },
  ];

  it("is created, edited and deleted, each with its changes in the audit log", async () => {
    const method = await aMethod({ name: "Parcel", price: 4.9, free_from: 50, min_days: 2, max_days: 3 });
    expect(method).toMatchObject({
      name: "Parcel",
      kind: "flat_rate",
      price: 4.9,
      brackets: [],
      free_from: 50,
      min_days: 2,
      max_days: 3,
      enabled: true,
    });
    const path = `/admin/shipping-methods/${method.id}`;
    const edited = await ask(`PUT ${path}`, { price: 5.9, free_from: null, max_days: 2 });
    expect((await ask(`GET ${path}`)).body.data).toEqual(edited.body.data);
    await ask(`DELETE ${path}`);
    const [deletion, update, creation] = await logOf("shipping_method", method.id);
    expect(creation).toMatchObject(["shipping_method.create", null, { price: 4.9, free_from: 50 }]);
    expect(update).toEqual([
      "shipping_method.update",
      { price: 4.9, free_from: 50, max_days: 3 },
      { price: 5.9, free_from: null, max_days: 2 },
    ]);
    expect(deletion).toMatchObject(["shipping_method.delete", { price: 5.9 }, null]);
    expect((await ask(`GET ${path}`)).status).toBe(404);
  });

  it("has only the price of its kind, whichever it becomes", async () => {
    const { id } = await aMethod({ price: 4.9 });
    const put = async (body: unknown) => ask(`PUT /admin/shipping-methods/${id}`, body);
    expect((await put({ kind: "weight", brackets })).body.data).toMatchObject({ kind: "weight", price: 0, brackets });
    expect((await logOf("shipping_method", id))[0]).toEqual([
      "shipping_method.update",
      { kind: "flat_rate", price: 4.9, brackets: [] },
      { kind: "weight", price: 0, brackets },
    ]);
    expect((await put({ kind: "pickup", price: 1 })).body.data).toMatchObject({
      kind: "pickup",
      price: 1,
      brackets: [],
    });
    expectRefusal(await put({ kind: "weight" }), 400, "brackets");
    expectRefusal(await put({ brackets }), 400, "brackets");
    expect((await put({ kind: "weight", brackets, price: 0 })).status).toBe(200);
    expectRefusal(await put({ price: 1 }), 400, "price");
    expectRefusal(await put({ brackets: [] }), 400, "brackets");
    expectRefusal(await put({ kind: "flat_rate" }), 400, "price");
    expect((await put({ kind: "flat_rate", price: 0 })).body.data).toMatchObject({ price: 0, brackets: [] });
    expect((await put({ kind: "flat_rate", name: "Free" })).status).toBe(200);
  });

  it("keeps its shortest delivery time within its longest, whichever changes", async () => {
    const { id } = await aMethod({ min_days: 2, max_days: 3 });
    const put = async (body: unknown) => ask(`PUT /admin/shipping-methods/${id}`, body);
    expectRefusal(await put({ min_days: 4 }), 400, "max_days");
    expectRefusal(await put({ max_days: 1 }), 400, "max_days");
    expect((await put({ min_days: 3 })).status).toBe(200);
    expect((await put({ min_days: 9, max_days: null })).status).toBe(200);
  });

  it("refuses a weight one gram below the previous bracket, and one equal to it", async () => {
    const { id } = await aMethod({ kind: "weight", price: 0, brackets });
    const put = async (grams: number) =>
      ask(`PUT /admin/shipping-methods/${id}`, {
        brackets: [
          { up_to_grams: 1000, price: 1 },
          { up_to_grams: grams, price: 2 },
        ],
      });
    expectRefusal(await put(999), 400, "brackets.1.up_to_grams");
    expectRefusal(await put(1000), 400, "brackets.1.up_to_grams");
    expect((await put(1001)).status).toBe(200);
  });

  it("is listed by its zone", async () => {
    const one = await aMethod();
    const other = await aMethod({ zone_id: one.zone_id, kind: "pickup", price: 0 });
    await aMethod();
    const { body } = await ask(`GET /admin/shipping-methods?zone_id=${one.zone_id}`);
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual([one.id, other.id]);
    expect(body.pagination.total_items).toBe(2);
    expect(await countOf("shipping-methods")).toBeGreaterThan(2);
  });

  it.each([
    ["zone_id", { zone_id: 999_999 }],
    ["zone_id", { zone_id: undefined }],
    ["name", { name: " " }],
    ["kind", { kind: "drone" }],
    ["price", { price: undefined }],
    ["price", { price: -1 }],
    ["price", { price: 0.001 }],
    ["price", { kind: "weight", brackets, price: 1 }],
    ["brackets", { kind: "weight", price: 0 }],
    ["brackets", { brackets }],
    ["brackets.0.up_to_grams", { kind: "weight", price: 0, brackets: [{ up_to_grams: 0, price: 1 }] }],
    ["brackets.0.price", { kind: "weight", price: 0, brackets: [{ up_to_grams: 1 }] }],
    ["brackets", { kind: "weight", price: 0, brackets: Array.from({ length: 51 }, () => brackets[0]) }],
    ["free_from", { free_from: "50" }],
    ["min_days", { min_days: -1 }],
    ["max_days", { max_days: 366 }],
    ["max_days", { min_days: 3, max_days: 2 }],
    ["enabled", { enabled: "yes" }],
  ])("is refused for its %s: %j", async (field, wrong) => {
    const { id } = await aZone();
    const body = { zone_id: id, name: "Parcel", kind: "flat_rate", price: 4.9, ...wrong };
    const before = await countOf("shipping-methods");
    expectRefusal(await ask("POST /admin/shipping-methods", body), 400, field);
    expect(await countOf("shipping-methods")).toBe(before);
  });
});
