import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { call } from "../support/call.ts";
import { aProduct, aUser, orderOf } from "../support/shop.ts";

it("answers 500 and logs the name of a guard without an error", async () => {
  const logged = vi.spyOn(console, "error").mockReturnValue();
  const [product, user] = [await aProduct(), await aUser({ wallet: 100_000 })];
  await env.DB.prepare(
    "CREATE TRIGGER orders_unforeseen BEFORE INSERT ON orders BEGIN SELECT RAISE(ABORT, 'unforeseen_rule'); END",
  ).run();
  const { status, body } = await call("POST /orders", { as: user.token, body: orderOf(product) });
  await env.DB.prepare("DROP TRIGGER orders_unforeseen").run();
  const lines = logged.mock.calls.join("\n");
  vi.restoreAllMocks();
  expect([status, body.code]).toEqual([500, "internal_error"]);
  expect(JSON.stringify(body)).not.toContain("unforeseen_rule");
  expect(lines).toContain("unforeseen_rule");
});
