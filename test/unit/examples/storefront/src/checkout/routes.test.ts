import { Hono } from "hono";
import { expect, it } from "vitest";
import { readDraft } from "../../../../../../examples/storefront/src/checkout/draft.ts";
import type { AppEnv } from "../../../../../../examples/storefront/src/env.ts";
import app from "../../../../../../examples/storefront/src/index.tsx";

/** Nothing listens there. */
const env = { API_URL: "http://127.0.0.1:1", API_KEY: "key", COOKIE_SECRET: "a secret of the tests" };
const ORIGIN = "http://localhost:8788";

const drafts = new Hono<AppEnv>().get("/", async (c) => c.json(await readDraft(c)));

/** What the next page finds of the checkout. */
const draftIn = async (cookies: string[]) =>
  (await drafts.request(`${ORIGIN}/`, { headers: { Cookie: cookies.join("; ") } }, env)).json();

const form = {
  "customer.email": "greta@guest.example",
  asked: "shipping_address",
  "address.name": "Greta Guest",
  "address.address": "Torstraße 1",
  "address.zip": "10119",
  "address.city": "Berlin",
  "address.country": "DE",
  attempt: "attempt-1",
  seen: "[]",
  total: "22",
};

it("keeps the form and its Idempotency-Key when an order fails without an answer, readable to nobody else", async () => {
  const body = new URLSearchParams(form);
  const response = await app.request(`${ORIGIN}/checkout`, { method: "POST", body, headers: { Origin: ORIGIN } }, env);
  expect([response.status, response.headers.get("Location")]).toEqual([303, "/checkout#problems"]);
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");
  const { attempt, seen, total, ...values } = form;
  expect(await draftIn(cookies)).toEqual({
    values,
    attempt,
    problems: [{ field: "order", code: "failed", message: expect.stringContaining("cannot be reached") }],
  });
  expect(response.headers.getSetCookie().every((cookie) => cookie.includes("HttpOnly"))).toBe(true);
  const readable = cookies.flatMap((cookie) => [cookie, atob(cookie.replace(/^.*?=/, "").replace(/[-_]/g, "A"))]);
  for (const text of readable) expect(text).not.toMatch(/greta|Torstra|Berlin/i);

  const [checkout = "", address = ""] = cookies;
  expect(await draftIn([`${checkout.slice(0, -4)}AAAA`, address])).toBe(null);
  // The value of one cookie is none of the other.
  expect(await draftIn([checkout.replace(/=.*/, "=") + address.replace(/^.*?=/, "")])).toBe(null);
});
