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
