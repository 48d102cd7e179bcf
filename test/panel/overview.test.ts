import { expect, it } from "vitest";
import { call } from "../support/call.ts";
import { anAdministrator } from "../support/panel.ts";
import { aProduct, aUser, orderOf } from "../support/shop.ts";

it("tells on the overview what wants attention", async () => {
  const product = await aProduct({ stock: 3 });
  await aProduct({ stock: 6 });
  const buyer = await aUser({ wallet: 10_000 });
  await call("POST /orders", { as: buyer.token, body: orderOf(product) });
  for (const payment_method of ["paypal", "paypal"]) {
    await call("POST /orders", { as: buyer.token, body: orderOf(await aProduct(), 1, { payment_method }) });
  }
  const { get } = await anAdministrator();
  const { html } = await get("/admin");
  const tiles = [...html.matchAll(/<strong>(\d+)<\/strong> ([^<]+)/g)].map(([, figure, label]) => [figure, label]);
  expect(tiles).toEqual([
    ["1", "to ship"],
    ["2", "waiting for payment"],
    ["1", "running low"],
  ]);
});

it("says of how many that run low it lists the scarcest", async () => {
  const { get } = await anAdministrator();
  const scarcest = async () =>
    /The (\d+) scarcest of (\d+)/
      .exec((await get("/admin")).html)
      ?.slice(1)
      .map(Number);
  expect(await scarcest()).toBeUndefined();
  for (let stock = 0; stock < 7; stock++) await aProduct({ stock: 0 });
  expect(await scarcest()).toEqual([6, 8]);
});

it("shows no sales beside dates the wrong way round, but what is wrong at the field", async () => {
  const { get } = await anAdministrator();
  const { status, html } = await get("/admin/sales?from=2026-11-20&to=2026-11-01");
  expect(status).toBe(400);
  expect(html).not.toMatch(/Net sales|class="notice/);
  expect(html).toMatch(/value="2026-11-20"[^>]*name="from"/);
  expect(html).toMatch(/value="2026-11-01"[^>]*name="to"[^>]*aria-invalid="true"/);
  expect(html).toMatch(/class="field-errors"[^>]*>must not be before the first day/);
  expect((await get("/admin/sales?from=2026-11-01&to=2026-11-20")).html).toContain("Net sales");
});
