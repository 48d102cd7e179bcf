import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { WELCOME_CODE } from "../../scripts/credentials.ts";
import { LONG } from "../support/long.ts";
import { administer } from "./administer.ts";
import { aCheckout, LOG, type OpenShop } from "./checkout.ts";

// A shop of its own: when a command writes to the database of a running shop, either may find it locked.

let checkout: Awaited<ReturnType<typeof aCheckout>>;
let shop: OpenShop;

beforeAll(async () => {
  checkout = await aCheckout();
});

afterAll(async () => {
  await checkout.kill();
  checkout.remove();
});

const read = (name: string) => readFileSync(join(checkout.folder, name), "utf8");

async function listProducts() {
  const headers = { Authorization: `Bearer ${shop.api_keys.standard}` };
  const response = await fetch(`${shop.base_url}/api/v1/user/products`, { headers });
  const { data, pagination } = (await response.json()) as { data?: { id: number }[]; pagination?: unknown };
  return { status: response.status, first: data?.[0]?.id, pagination };
}

async function logIn({ email, password }: { email: string; password: string }) {
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify({ email, password });
  const response = await fetch(`${shop.base_url}/api/v1/user/auth/login`, { method: "POST", headers, body });
  return ((await response.json()) as { data?: { token: string; user: { name: string; role: string } } }).data;
}

/** Audit entries of user commands, newest first. */
async function logOf() {
  const headers = { Authorization: `Bearer ${(await logIn(shop.admin))?.token}` };
  const address = `${shop.base_url}/api/v1/admin/audit-log?actor=system&subject=user`;
  return ((await (await fetch(address, { headers })).json()) as { data: unknown[] }).data;
}

// test/server/deploy/ checks that `wrangler deploy` skips the preparation too.
it("is prepared as a shop only by wrangler's command `dev`", LONG, async () => {
  await checkout.build("types");
  expect(existsSync(join(checkout.folder, "dist/index.mjs"))).toBe(true);
  expect(checkout.prepared()).toEqual([]);
});

it("serves the demo shop at the first `npx wrangler dev`, and another build changes nothing", LONG, async () => {
  shop = await checkout.startWrangler();
  const listed = await listProducts();
  expect(listed).toMatchObject({ status: 200, first: expect.any(Number) });
  expect(read(LOG)).toContain(".dev/credentials.json");
  const written = [read(".dev.vars"), read(".dev/credentials.json")];

  await checkout.build("dev");
  expect([read(".dev.vars"), read(".dev/credentials.json")]).toEqual(written);
  expect(await listProducts()).toEqual(listed);
});

it("shows delivery, tax and a code at a stranger's first checkout", LONG, async () => {
  const headers = { Authorization: `Bearer ${shop.api_keys.storefront}`, "Content-Type": "application/json" };
  const body = JSON.stringify({
    items: [{ product_id: 1, quantity: 1 }],
    shipping_address: { name: "Casey", address: "12 Harbour Row", city: "Bristol", zip: "BS1 5TY" },
    discount_codes: [WELCOME_CODE],
  });
  const response = await fetch(`${shop.base_url}/api/v1/user/checkout/quote`, { method: "POST", headers, body });
  expect(await response.json()).toMatchObject({
    data: {
      shipping_options: [{ name: "Standard" }, { name: "Express" }],
      shipping_total: 3.9,
      discounts: [{ code: WELCOME_CODE }],
      tax_lines: [{ name: "VAT", rate: 20 }],
      prices_include_tax: true,
    },
  });
});

it("runs the README's tour as printed", LONG, () => {
  const [, tour = ""] = /^## Five minutes$.*?^```sh$(.*?)^```$/ms.exec(readFileSync("README.md", "utf8")) ?? [];
  const inFolder = { cwd: shop.folder, encoding: "utf8", stdio: "pipe" } as const;
  const printed = execFileSync("bash", ["-e", "-o", "pipefail", "-c", tour], inFolder);
  expect(printed.match(/^ +\{ id: \d+, name: '.+', price: [\d.]+ \},?$/gm)).toHaveLength(3);
  expect(printed).toMatch(/^ +status: 'processing',$/m);
  expect(printed).toMatch(/^X-RateLimit-Remaining: \d+/im);
  expect(statSync(join(shop.folder, ".dev/download.wav")).size).toBeGreaterThan(8e6);
});

it("gets an administrator by `npm run admin`, once, whose password is only printed", LONG, async () => {
  const EMAIL = "o'neil@shop.example";
  const NAME = "Ada O'Neil'); DROP TABLE users; -- \"x\" /*";
  const { code, stdout, stderr, asked, files, rights } = await administer(
    shop.folder,
    ` ${EMAIL.toUpperCase()} `,
    NAME,
  );
  expect([code, stderr]).toEqual([0, ""]);
  const [, password = ""] = /Password {2}([\w-]{24})\n/.exec(stdout) ?? [];
  expect(await logIn({ email: EMAIL, password })).toMatchObject({ user: { name: NAME, role: "admin" } });
  const [entry] = await logOf();
  expect(entry).toMatchObject({
    actor: "system",
    action: "user.create",
    before: null,
    after: { email: EMAIL, name: NAME, role: "admin" },
  });

  expect(asked).not.toMatch(/scrypt/);
  expect(files).toContain("$scrypt$");
  for (const text of [asked, files, JSON.stringify(entry)]) expect(text).not.toContain(password);
  expect(rights).toMatch(/^-rw-------/);
  expect(existsSync(asked.trim().split("\n").at(-1) ?? "")).toBe(false);

  const again = await administer(shop.folder, EMAIL, "Somebody Else");
  expect([again.code, again.stdout, again.files]).toEqual([1, "", ""]);
  expect(again.stderr).toContain("Nothing was changed");
  expect(again.stderr).not.toMatch(/\bat .*:\d+:\d+/);
});
