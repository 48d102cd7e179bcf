import { expect, it } from "vitest";
import { checks } from "../../../scripts/smoke/checks.ts";
import { clientOf } from "../../../scripts/smoke/client.ts";

const url = "https://shop.test";

/** A shop whose orders are paid at this address, and the addresses that a smoke test asks. */
async function askedBy(page: string): Promise<string[]> {
  const asked: string[] = [];
  const shop: typeof fetch = async (input) => {
    asked.push(String(input));
    const order = { id: 7, number: "#7", payment_status: "paid", payment: { next_action: { url: page } } };
    const path = new URL(String(input)).pathname;
    if (path === "/api/v1/user/orders") return Response.json({ data: order }, { status: 201 });
    if (path === "/api/v1/user/account/orders/999999999") return Response.json({}, { status: 404 });
    return Response.json({ data: order }, { status: path.startsWith("/api/") ? 200 : 303 });
  };
  const run = {
    ...clientOf({ url, fetch: shop }),
    credentials: { apiKey: "sfk_test" },
    mark: "smoke-test",
    product: { id: 1, price: 1 },
    takesTestPayments: true,
    undo: [],
  };
  await checks.find(({ name }) => name.startsWith("An order"))?.run(run);
  return asked;
}

it.each([
  "https://other.test/account/pay",
  "http://169.254.169.254/latest",
  "//127.0.0.1/admin",
  "data:elsewhere.test",
  "/account/pay",
])("sends nothing to another host than the tested one, if an order is paid at %s", async (page) => {
  const hosts = (await askedBy(page)).map((address) => new URL(address).host);
  expect(new Set(hosts)).toEqual(new Set(["shop.test"]));
});

it("refuses an address whose path names another host", async () => {
  await expect(askedBy("https://other.test//elsewhere.test/pay")).rejects.toThrow("is not an address of the shop");
});
