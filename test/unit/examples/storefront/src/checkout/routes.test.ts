import { Hono } from "hono";
import { expect, it, vi } from "vitest";
import { readDraft } from "../../../../../../examples/storefront/src/checkout/draft.ts";
import type { AppEnv } from "../../../../../../examples/storefront/src/env.ts";
import app from "../../../../../../examples/storefront/src/index.tsx";

/** A port on which nothing listens. */
const env = { API_URL: "http://127.0.0.1:1", API_KEY: "key", COOKIE_SECRET: "a secret of the tests" };
const ORIGIN = "http://localhost:8788";

const drafts = new Hono<AppEnv>().get("/", async (c) => c.json(await readDraft(c)));

/** The checkout as the next page reads it. */
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

it("keeps the form and its Idempotency-Key when an order gets no response, readable to nobody else", async () => {
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
  // A cookie's value is not valid for the other cookie.
  expect(await draftIn([checkout.replace(/=.*/, "=") + address.replace(/^.*?=/, "")])).toBe(null);
});

it("stores only what fits into a browser's cookies, whatever is sent", async () => {
  const parts = ["name", "company", "address", "address2", "city", "region", "zip", "phone"];
  const names = [
    ...["customer.email", "customer.name", "discount_codes", "attempt", "seen", "unknown"],
    ...["address", "billing"].flatMap((address) => parts.map((part) => `${address}.${part}`)),
  ];
  // Each character takes six bytes in JSON.
  for (const length of [100, 200, 450, 5_000]) {
    const typed = Object.fromEntries(names.map((name) => [name, "\u0001".repeat(length)]));
    const sent = { ...typed, asked: "shipping_address", other_billing: "yes", "address.country": "JP", total: "1" };
    const options = { method: "POST", body: new URLSearchParams(sent), headers: { Origin: ORIGIN } };
    const response = await app.request(`${ORIGIN}/checkout`, options, env);
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");
    expect(cookies).toHaveLength(3);
    for (const cookie of cookies) expect(cookie.length + "__Host-".length).toBeLessThanOrEqual(4096);
  }
});

it("stores the longest address in another script completely", async () => {
  const longest = { name: 100, company: 100, address: 200, address2: 200, city: 100, region: 100, zip: 20, phone: 40 };
  const typed = Object.entries(longest).map(([part, length]) => [`address.${part}`, "鑑".repeat(length)]);
  const body = new URLSearchParams({ ...Object.fromEntries(typed), asked: "shipping_address", update: "keep" });
  const response = await app.request(`${ORIGIN}/checkout`, { method: "POST", body, headers: { Origin: ORIGIN } }, env);
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");
  expect(await draftIn(cookies)).toMatchObject({ values: Object.fromEntries(typed) });
});

it("says that the shop cannot be reached, whatever the runtime throws", async () => {
  for (const error of [new TypeError("fetch failed"), new Error("Network connection lost.")]) {
    using _ = vi.spyOn(globalThis, "fetch").mockRejectedValue(error);
    const body = new URLSearchParams(form);
    const refused = await app.request(`${ORIGIN}/checkout`, { method: "POST", body, headers: { Origin: ORIGIN } }, env);
    expect([refused.status, refused.headers.get("Location")]).toEqual([303, "/checkout#problems"]);
    const page = await app.request(`${ORIGIN}/products/1`, {}, env);
    expect([page.status, await page.text()]).toEqual([503, expect.stringContaining("Temporarily unavailable")]);
  }
});

it("asks once about an address that looks misspelled, and replaces it on request", async () => {
  const send = async (fields: Record<string, string>) => {
    const body = new URLSearchParams({ ...form, "customer.email": "frieda@example", ...fields });
    const response = await app.request(
      `${ORIGIN}/checkout`,
      { method: "POST", body, headers: { Origin: ORIGIN } },
      env,
    );
    return draftIn(response.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? ""));
  };
  expect(await send({})).toMatchObject({
    values: { asked_email: "frieda@example" },
    problems: [{ field: "customer.email", message: "Did you mean frieda@example.com? If not, order again" }],
  });
  expect(await send({ asked_email: "frieda@example" })).toMatchObject({ problems: [{ field: "order" }] });
  expect(await send({ update: "email" })).toMatchObject({ values: { "customer.email": "frieda@example.com" } });
});
