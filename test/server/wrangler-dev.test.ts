import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { LONG } from "../support/long.ts";
import { aCheckout, LOG, type OpenShop } from "./checkout.ts";

let checkout: Awaited<ReturnType<typeof aCheckout>>;

beforeEach(async () => {
  checkout = await aCheckout();
});

afterEach(async () => {
  await checkout.kill();
  checkout.remove();
});

const read = (name: string) => readFileSync(join(checkout.folder, name), "utf8");

async function listProducts({ base_url, api_keys }: OpenShop) {
  const headers = { Authorization: `Bearer ${api_keys.standard}` };
  const response = await fetch(`${base_url}/api/v1/user/products`, { headers });
  const { data, pagination } = (await response.json()) as { data?: { id: number }[]; pagination?: unknown };
  return { status: response.status, first: data?.[0]?.id, pagination };
}

it(
  "serves the demo shop at the first `npx wrangler dev` of a fresh clone, and the next one changes nothing",
  LONG,
  async () => {
    const listed = await listProducts(await checkout.startWrangler());
    expect(listed).toMatchObject({ status: 200, first: expect.any(Number) });
    expect(read(LOG)).toContain(".dev/credentials.json");
    const written = [read(".dev.vars"), read(".dev/credentials.json")];
    await checkout.kill();

    expect(await listProducts(await checkout.startWrangler())).toEqual(listed);
    expect([read(".dev.vars"), read(".dev/credentials.json")]).toEqual(written);
  },
);

it.each(["wrangler deploy --dry-run", "wrangler versions upload --dry-run", "wrangler types", "node scripts/build.ts"])(
  "prepares no shop for `%s`",
  LONG,
  (command) => {
    const { status, stderr } = spawnSync("npx", command.split(" "), { cwd: checkout.folder, encoding: "utf8" });
    expect(stderr).toBe("");
    expect(status).toBe(0);
    expect(existsSync(join(checkout.folder, "dist/index.mjs"))).toBe(true);
    const prepared = [".dev", ".dev.vars", ".wrangler/state"].filter((name) => existsSync(join(checkout.folder, name)));
    expect(prepared).toEqual([]);
  },
);
