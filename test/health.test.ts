import { exports } from "cloudflare:workers";
import { expect, it } from "vitest";

it("answers", async () => {
  const response = await exports.default.fetch(new Request("http://shop.test/health"));
  expect(response.status).toBe(200);
});
