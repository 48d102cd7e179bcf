import { tracing } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { call } from "../support/call.ts";
import { aKey } from "../support/shop.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** Stands in for the platform's span of a request, which tests do not have. */
function aSpan(isTraced: boolean) {
  const span = { isTraced, setAttribute: vi.fn(() => span), updateName: vi.fn(() => span) };
  vi.spyOn(tracing, "getActiveSpan").mockReturnValue(span as never);
  return span;
}

it("names the trace of a request after its route, with the request's id", async () => {
  const span = aSpan(true);
  const { key } = await aKey();
  const { headers } = await call("GET /products/99999999", { as: key });
  expect(span.setAttribute).toHaveBeenCalledWith("request_id", headers.get("X-Request-Id"));
  expect(span.updateName).toHaveBeenCalledWith("GET /api/v1/user/products/{id}");
});

it("ignores requests that are not traced", async () => {
  const span = aSpan(false);
  await call("GET /nowhere");
  expect(span.setAttribute).not.toHaveBeenCalled();
  expect(span.updateName).not.toHaveBeenCalled();
});
