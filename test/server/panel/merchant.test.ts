import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { LONG } from "../../support/long.ts";
import { it } from "../browser/it.ts";
import { look } from "../browser/look.ts";
import type { OpenShop } from "../checkout.ts";
import { type Facts, Hands } from "./hands.ts";
import { jobs } from "./merchant-jobs.ts";

const ADDRESS = { name: "Ada Lovelace", address: "12 Quay Street", city: "Bristol", zip: "BS1 4DB" };
const WIDTHS = { desktop: 1280, phone: 390 };

/** Rows of the table in docs/panel.md: clicks on a desktop and on a phone, and fields typed into. */
const documented = () =>
  Object.fromEntries(
    [...readFileSync("docs/panel.md", "utf8").matchAll(/^\| ([A-Z][^|]+) \| (\d+) \| (\d+) \| (\d+) \|$/gm)].map(
      ([, job = "", ...counts]) => [job, counts.map(Number)],
    ),
  );

it(
  "does a merchant's jobs in the documented number of clicks, on pages without flaws",
  LONG,
  async ({ shop, aSignedInPage }) => {
    const page = await aSignedInPage();
    const counted: Record<string, number[]> = {};
    const looked = new Set<string>();
    const many = await importMany(shop);
    for (const [device, width] of Object.entries(WIDTHS)) {
      const facts = { ...(await prepared(shop, device)), many };
      const hands = new Hands(page, width);
      await page.setViewportSize({ width, height: 800 });
      await hands.home();
      for (const [job, work] of Object.entries(jobs)) {
        // The menu, where jobs begin, is the same on all pages except printed documents.
        if ((await page.locator("#menu").count()) === 0) await hands.home();
        hands.startOver();
        await work(hands, facts);
        counted[job] = device === "desktop" ? [hands.clicks] : [...(counted[job] ?? []), hands.clicks, hands.fields];
        const kind = new URL(page.url()).pathname.replace(/\d+/g, "one");
        // pages.test.ts covers lists, and a page for one row of each.
        if (looked.has(kind) || /^\/admin\/[\w-]+(\/one)?$/.test(kind)) continue;
        looked.add(kind);
        await look(page, `merchant${kind.replaceAll("/", "-")}`);
      }
    }
    const rows = Object.entries(counted).map(([job, counts]) => `| ${job} | ${counts.join(" | ")} |`);
    expect(documented(), rows.join("\n")).toEqual(counted);
  },
);

/** Orders to work on, placed by the demo customer. */
async function prepared({ base_url, admin, customer }: OpenShop, device: string): Promise<Omit<Facts, "many">> {
  const ask = (path: string, body?: object, token?: string) => asked(base_url, path, body, token);
  const [{ token: staff }, { token, user }] = [
    await ask("/user/auth/login", admin),
    await ask("/user/auth/login", customer),
  ];
  await ask(`/admin/users/${user.id}/credit`, { amount: 99, reason: "For the test" }, staff);
  const cheap = await ask("/user/products?type=physical&in_stock=true&sort=price&per_page=10", undefined, token);
  const sold = cheap.filter(({ options }: { options: unknown[] }) => options.length === 0).slice(0, 3);
  const items = sold.map(({ id, price }: { id: number; price: number }, place: number) => ({
    product_id: id,
    quantity: place + 1,
    price,
  }));
  const run = `${Date.now()}`.slice(-7);
  const order = (payment_method: string) =>
    ask("/user/orders", { items, shipping_address: ADDRESS, payment_method }, token);
  return {
    run,
    unpaid: await order("paypal"),
    paid: await order("wallet"),
    surname: user.name.split(" ").at(-1),
    status: device === "desktop" ? "cancelled" : "completed",
  };
}

// biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the test is about
async function asked(base: string, path: string, body?: object, token?: string): Promise<any> {
  const headers = {
    "Idempotency-Key": crypto.randomUUID(),
    ...(!(body instanceof FormData) && { "Content-Type": "application/json" }),
    ...(token && { Authorization: `Bearer ${token}` }),
  };
  const sent =
    body === undefined
      ? { headers }
      : { method: "POST", headers, body: body instanceof FormData ? body : JSON.stringify(body) };
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the test is about
  const { data }: any = await (await fetch(`${base}/api/v1${path}`, sent)).json();
  return data;
}

/** 120 draft products that share a word. As drafts, they are not for sale in other tests. */
async function importMany({ base_url, admin }: OpenShop): Promise<string> {
  const word = `Many${Date.now()}`;
  const rows = Array.from({ length: 120 }, (_, n) => `${word} ${n},${word}-${n},service,9,draft`);
  const form = new FormData();
  form.set("file", new File([["name,sku,type,price,status", ...rows].join("\n")], "many.csv", { type: "text/csv" }));
  const { token } = await asked(base_url, "/user/auth/login", admin);
  const { id } = await asked(base_url, "/admin/imports/products", form, token);
  const path = `/admin/imports/products/${id}`;
  const state = async () => (await asked(base_url, path, undefined, token)).state;
  await expect.poll(state, { timeout: 30_000 }).toBe("ready");
  await asked(base_url, `${path}/start`, {}, token);
  await expect.poll(state, { timeout: 30_000 }).toBe("completed");
  return word;
}
