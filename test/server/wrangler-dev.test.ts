import { execFileSync } from "node:child_process";
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

/** Builds as wrangler does before one of its commands, which it names in the environment. */
const build = (command: string) =>
  execFileSync("node", ["scripts/build.ts"], {
    cwd: checkout.folder,
    env: { ...process.env, WRANGLER_COMMAND: command },
    stdio: "pipe",
  });

it(
  "serves the demo shop at the first `npx wrangler dev` of a fresh clone, and another build changes nothing",
  LONG,
  async () => {
    const shop = await checkout.startWrangler();
    const listed = await listProducts(shop);
    expect(listed).toMatchObject({ status: 200, first: expect.any(Number) });
    expect(read(LOG)).toContain(".dev/credentials.json");
    const written = [read(".dev.vars"), read(".dev/credentials.json")];

    build("dev");
    expect([read(".dev.vars"), read(".dev/credentials.json")]).toEqual(written);
    expect(await listProducts(shop)).toEqual(listed);
  },
);

// That `wrangler deploy` prepares none either, test/server/deploy/ sees.
it("prepares no shop for other commands of wrangler", LONG, () => {
  for (const command of ["versions upload", "types"]) build(command);
  expect(existsSync(join(checkout.folder, "dist/index.mjs"))).toBe(true);
  expect(checkout.prepared()).toEqual([]);
});
