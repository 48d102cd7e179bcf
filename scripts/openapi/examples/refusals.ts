import { Hono } from "hono";
import { unavailable } from "../../../src/domain/errors.ts";
import { failure } from "../../../src/platform/http/envelope.ts";
import { onError } from "../../../src/platform/http/on-error.ts";
import type { ExampleRequest, Shop } from "./shop.ts";

/** Records an error of each remaining status. Runs last, because it exhausts a rate limit. */
export async function beRefused(shop: Shop, admin: string, key: string, order: { id: number }) {
  const standard = shop.access.api_keys.standard;
  const wrong = { product_id: 1, quantity: 0, price: 1 };
  const cases: [status: number, id: string, sent: ExampleRequest][] = [
    [400, "createOrder", { as: standard, body: { items: [wrong], payment_method: "paypal" } }],
    [401, "listProducts", {}],
    [403, "listFiles", { as: key }],
    [404, "getProduct", { as: standard, path: { id: 999_999 } }],
    [409, "updateOrder", { as: admin, path: { id: order.id }, body: { status: "pending" } }],
    [412, "updateCategory", { as: admin, path: { id: 1 }, headers: { "If-Match": '"old"' }, body: { name: "New" } }],
    [413, "logIn", { body: { email: "x".repeat(2_000_000) } }],
    [415, "logIn", { body: {}, headers: { "Content-Type": "text/plain" } }],
  ];
  for (const refused of cases) await shop.beRefused(...refused);
  for (let asked = 0; !(await shop.refuse(429, "listProducts", { as: key })); asked++) {
    if (asked > 200) throw new Error("The limit was never reached");
  }
  for (const fault of [new Error("A bug"), unavailable()]) Object.assign(shop.recorded.refusals, await answerTo(fault));
}

/** Asks the error handler for its response to a fault, because a running shop cannot be made to fail. */
async function answerTo(fault: Error): Promise<Record<string, unknown>> {
  const app = new Hono<{ Variables: { requestId: string } }>();
  app.onError(onError(failure));
  app.get("/", () => {
    throw fault;
  });
  const response = await app.request("/");
  return { [response.status]: await response.json() };
}
