import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { getPlatformProxy } from "wrangler";
import { connect } from "../../src/db/client.ts";
import { deleteOrphanedObjects } from "../../src/files/orphaned-objects.ts";
import { LONG } from "../support/long.ts";
import { storedKeys, strayObjects } from "../support/objects.ts";
import { aCheckout } from "./checkout.ts";
import { upload } from "./uploads.ts";

const MB = 1_000_000;
const DAY_MS = 24 * 60 * 60 * 1000;

type Checkout = Awaited<ReturnType<typeof aCheckout>>;

let shop: Checkout;

beforeAll(async () => {
  shop = await aCheckout(inject("state"));
});

afterAll(async () => {
  await shop.kill();
  shop.remove();
});

it(
  "loses no object, and leaves none, when its sender goes amid an upload and when the server is killed amid one",
  LONG,
  async () => {
    const before = await inStorage(({ FILES }) => storedKeys(FILES));
    const open = await shop.start();
    const leave = () => Promise.reject(new Error("the sender has gone"));
    await expect(upload(open, 90 * MB, { after: 40 * MB, act: leave })).rejects.toThrow("has gone");
    await expect(upload(open, 90 * MB, { after: 40 * MB, act: shop.kill })).rejects.toThrow();

    await inStorage(async ({ DB, FILES }) => {
      expect(await strayObjects({ DB, FILES })).toEqual({ lost: [], missing: [] });
      expect(await DB.prepare("SELECT count(*) AS n FROM orphaned_objects").first("n")).toBeGreaterThan(0);
      await deleteOrphanedObjects({ db: connect(DB), bucket: FILES }, Date.now() + DAY_MS);
      expect(await storedKeys(FILES)).toEqual(before);
      expect(await DB.prepare("SELECT count(*) AS n FROM orphaned_objects").first("n")).toBe(0);
    });
  },
);

/** Looks into what the server has stored, while it is down. */
async function inStorage<T>(look: (env: Env) => Promise<T>): Promise<T> {
  const proxy = await getPlatformProxy<Env>({
    configPath: join(shop.folder, "wrangler.toml"),
    persist: { path: join(shop.folder, ".wrangler/state/v3") },
  });
  try {
    return await look(proxy.env);
  } finally {
    await proxy.dispose();
  }
}
