import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { call, callWith } from "../../support/call.ts";
import { counted } from "../../support/counting.ts";
import { aKey, aParent, aProduct, aVariant, onPurpose, orderOf } from "../../support/shop.ts";
import { anAdministrator, placed } from "./support.ts";

let admin: Awaited<ReturnType<typeof anAdministrator>>;
let guests: { key: string };
let plain: Awaited<ReturnType<typeof aProduct>>;

beforeAll(async () => {
  admin = await anAdministrator();
  guests = await aKey();
  plain = await aProduct({ stock: null, name: "Plain" });
});

const somewhere = { name: "Nobody", address: "Nowhere 1", city: "Otherville", zip: "10115", country: "DE" };

async function anOrder(more: Record<string, unknown> = {}, product = plain): Promise<number> {
  const body = orderOf(product, 1, { payment_method: "credit_card", shipping_address: somewhere, ...more });
  const { status, body: answer } = await call("POST /orders", { as: guests.key, body, headers: onPurpose() });
  expect(status, JSON.stringify(answer)).toBe(201);
  return answer.data.id;
}

const found = async (search: string): Promise<number[]> =>
  (await admin.ask(`GET /admin/orders?${new URLSearchParams({ search })}`)).body.data.map(
    ({ id }: { id: number }) => id,
  );

describe("an order is found", () => {
  it("by the recipient, company, street, city and postal code of both addresses, with or without special letters", async () => {
    const id = await anOrder({
      customer: { name: "Buyer Nemo", email: "nemo@found.test" },
      shipping_address: {
        ...somewhere,
        name: "Käthe Müller",
        address: "Lindenstraße 17",
        city: "Łódź",
        company: "Öko GmbH",
      },
      billing_address: { ...somewhere, name: "Accounts", company: "Smørrebrød Holding" },
    });
    for (const search of [
      "käthe",
      "muller kathe",
      "lindenstrasse 17",
      "Lindenstraße",
      "lodz",
      "oko",
      "smorre",
      "nemo linden",
    ])
      expect(await found(search), search).toEqual([id]);
    expect(await found("lindenstrasse 18")).toEqual([]);
  });

  it("by a telephone number in any spelling", async () => {
    const id = await anOrder({ shipping_address: { ...somewhere, address: "Phone 1", phone: "+49 (171) 555-8123" } });
    for (const search of ["0171 5558123", "+491715558123", "0049 171 555 81 23", "171/555.8123", "(171) 555-81"])
      expect(await found(search), search).toEqual([id]);
    expect(await found("0171 5558124")).toEqual([]);
  });

  it("by its tracking number, with and without spaces and in any case", async () => {
    const { id } = await placed();
    await admin.change(id, { status: "shipped", shipment: { carrier: "UPS", tracking_number: "1Z999AA10123456784" } });
    for (const search of ["1Z999AA10123456784", "1z 999 aa1 01 2345 6784", "1Z999AA1"])
      expect(await found(search), search).toEqual([id]);
    expect(await found("1Z999AA10123456785")).toEqual([]);
  });

  it("by the name and SKU of its products, and by the values of a variant", async () => {
    const kettle = await aProduct({
      stock: null,
      name: "Kupferkessel",
      sku: "KETTLE-9",
      description: "With a cord of hemp",
    });
    const parent = await aParent({ name: "Anorak" });
    const [small, medium] = [await aVariant(parent, { sku: "ANO-S" }), await aVariant(parent, { sku: "ANO-M" })];
    const [one, two, three] = [await anOrder({}, kettle), await anOrder({}, small), await anOrder({}, medium)];
    expect(await found("kupfer")).toEqual([one]);
    expect(await found("KETTLE-9")).toEqual([one]);
    expect(await found("hemp")).toEqual([]);
    expect(await found("anorak")).toEqual([three, two]);
    expect(await found("ANO-M")).toEqual([three]);
    expect(await found(`anorak ${medium.optionValues[0]?.value}`)).toEqual([three]);
  });

  it("in the search of everything", async () => {
    const id = await anOrder({ shipping_address: { ...somewhere, name: "Zacharias Quist" } });
    const { body } = await admin.ask("GET /admin/search?q=quist");
    expect(body.data).toMatchObject([{ kind: "order", results: [{ id }] }]);
  });

  it("by its number alone, whatever else holds the digits", async () => {
    const id = await anOrder();
    const { number } = (await admin.ask(`GET /admin/orders/${id}`)).body.data;
    await anOrder({ shipping_address: { ...somewhere, address: `Main Street ${number.slice(1)}` } });
    expect(await found(number)).toEqual([id]);
  });
});

it("finds an order by its corrected address only, and others to the old one still", async () => {
  const customer = { name: "Moves Often", email: "moves@found.test" };
  const old = { ...somewhere, address: "Altgasse 3" };
  const sent = { customer, shipping_address: old };
  const [first, second, third] = [await anOrder(sent), await anOrder(sent), await anOrder(sent)];
  const moved = { shipping_address: { ...old, address: "Neugasse 4" } };
  expect((await admin.change(first, moved)).status).toBe(200);
  expect(await found("altgasse")).toEqual([third, second]);
  expect(await found("neugasse")).toEqual([first]);
  expect((await admin.change(third, moved)).status).toBe(200);
  expect((await admin.change(second, moved)).status).toBe(200);
  expect(await found("altgasse")).toEqual([]);
  expect(await found("neugasse")).toEqual([third, second, first]);
  expect(await found("moves often")).toEqual([third, second, first]);
  await env.DB.exec("INSERT INTO orders_search (orders_search, rank) VALUES ('integrity-check', 0)");
});

it("reads few rows for an order of a customer with many orders", async () => {
  const address = { ...somewhere, name: "Regular", address: "Stammweg 5" };
  const id = await anOrder({ shipping_address: address, customer: { name: "Regular", email: "regular@found.test" } });
  await env.DB.prepare(
    `INSERT INTO orders (reference, number, sequence, api_key_id, status, payment_status, fulfillment_status, currency, subtotal, total,
       payment_method, customer_name, customer_email, shipping_address, created_at, updated_at, updated_by)
     SELECT 'Y' || value, '#' || (60000 + value), 60000 + value, api_key_id, status, payment_status, fulfillment_status, currency, subtotal, total,
       payment_method, NULL, NULL, json_set(shipping_address, '$.address', 'Gasse ' || value), created_at, updated_at, updated_by
     FROM orders JOIN json_each(?2) WHERE orders.id = ?1`,
  )
    .bind(id, JSON.stringify(Array.from({ length: 500 }, (_, n) => n)))
    .run();
  const { bindings, work } = counted();
  const { body } = await callWith(bindings, "GET /admin/orders?search=gasse+123", { as: admin.token });
  expect(body.data).toHaveLength(1);
  expect(work.rowsRead).toBeLessThan(120);
});

it("exports the orders that the list finds", async () => {
  const lamp = await aProduct({ stock: null, name: "Grubenlampe" });
  const ids = [
    await anOrder({}, lamp),
    await anOrder({ shipping_address: { ...somewhere, name: "Grubenlampe Verein" } }),
    await anOrder({ shipping_address: { ...somewhere, name: "Grubenlampe Verein" } }, lamp),
  ];
  const { body } = await admin.ask("GET /admin/exports/orders/csv?search=grubenlampe");
  const numbers = await Promise.all(
    ids.map(async (id) => (await admin.ask(`GET /admin/orders/${id}`)).body.data.number),
  );
  const rows = String(body).trim().split("\n").slice(1);
  expect(rows).toHaveLength(3);
  for (const number of numbers) expect(rows.filter((row) => row.includes(number))).toHaveLength(1);
  expect(await found("grubenlampe")).toEqual(ids.toReversed());
});
