import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { readDeployment } from "../../../scripts/deploy/config.ts";
import { useEnvironment } from "../../../scripts/deploy/wrangler.ts";
import { LONG } from "../../support/long.ts";
import { openAccount } from "./account.ts";
import { openVersions } from "./versions.ts";

let account: Awaited<ReturnType<typeof openAccount>>;

beforeAll(async () => {
  account = await openAccount();
});

afterAll(() => account.close());

/** Runs `npm run deploy` without its checks, and records the writes that the platform received. */
async function deploy(...args: string[]) {
  const { platform, run } = account;
  platform.calls.length = 0;
  const output = await run("scripts/deploy.ts", ["--url", platform.url, ...args]).ended;
  const writes = platform.calls
    .filter(({ method, path }) => method !== "GET" && !/\/(?:query|import|graphql)$/.test(path))
    .map(({ method, path }) => `${method} ${path.replace("/accounts/acc/", "").replace(/\?.*/, "")}`);
  return { ...output, writes };
}

/** Changes the deployed code. */
function changeSettings(): void {
  const config = join(account.checkout.folder, "wrangler.toml");
  writeFileSync(config, readFileSync(config, "utf8").replace('SHOP_NAME = "Storefront"', 'SHOP_NAME = "Shop"'));
}

/** Percentage of traffic of each version, by number. */
function shares(): Record<number, number> {
  const { versions, deployments } = account.platform.account.workers.get("storefront") ?? {
    versions: [],
    deployments: [],
  };
  const numberOf = (id: string) => versions.find((version) => version.id === id)?.number ?? 0;
  return Object.fromEntries(
    (deployments[0]?.versions ?? []).map(({ version_id, percentage }) => [numberOf(version_id), percentage]),
  );
}

const idOf = (number: number) => account.platform.account.workers.get("storefront")?.versions[number - 1]?.id ?? "";

const migrations = readdirSync("migrations").filter((file) => file.endsWith(".sql"));
const TRIGGERS = [
  "POST workers/scripts/storefront/subdomain",
  "PUT workers/scripts/storefront/schedules",
  "PUT workflows/storefront-jobs",
];
const SHARING = ["POST workers/scripts/storefront/deployments", "PATCH workers/scripts/storefront/script-settings"];

// Each test goes on with the account as the one before left it, so none may be cut off while its deployment runs.
describe("npm run deploy", { timeout: 5 * LONG.timeout }, () => {
  it("takes an empty account to a running shop: the database, then the code with its secrets, none of them printed", async () => {
    const { code, stdout, stderr, writes } = await deploy();
    expect([code, stderr]).toEqual([0, ""]);
    expect(writes.slice(0, 3)).toEqual(["POST d1/database", "POST r2/buckets", "POST r2/buckets"]);
    expect(writes).toContain("PUT workers/scripts/storefront");
    const rows = account.platform.account.databases.get("storefront")?.rows;
    expect(rows?.prepare("SELECT count(*) AS applied FROM d1_migrations").get()).toEqual({
      applied: migrations.length,
    });
    const secrets = account.platform.account.workers.get("storefront")?.secrets ?? new Map();
    expect([...secrets.keys()]).toEqual(["API_KEY_SECRET", "LINK_SECRET", "TOKEN_KEYS", "SIGNING_KEYS"]);
    for (const secret of secrets.values()) expect(stdout).not.toContain(secret);
    expect(stdout).toContain("npm run admin");
    expect(readFileSync(join(account.checkout.folder, "wrangler.toml"), "utf8")).toBe(
      readFileSync("wrangler.toml", "utf8"),
    );
    expect(account.checkout.prepared()).toEqual([]);
  });

  it("refuses test payments unless the deployment is declared as staging", () => {
    const config = join(account.checkout.folder, "wrangler.toml");
    const before = readFileSync(config, "utf8");
    const tested = before.replaceAll('TEST_PAYMENTS = "false"', 'TEST_PAYMENTS = "true"');
    writeFileSync(config, tested);
    const cwd = process.cwd();
    vi.stubEnv("CLOUDFLARE_ENV", "");
    onTestFinished(() => {
      writeFileSync(config, before);
      process.chdir(cwd);
      vi.unstubAllEnvs();
    });
    process.chdir(account.checkout.folder);
    expect(readDeployment).toThrow('TEST_PAYMENTS is "true"');
    useEnvironment("staging");
    expect(readDeployment).toThrow("TEST_PAYMENTS needs WORKER_URL");
    writeFileSync(config, tested.replaceAll('WORKER_URL = ""', 'WORKER_URL = "https://staging.example"'));
    expect(readDeployment().database).toBe("storefront-staging");
  });

  it("continues a killed deployment, takes it back if its smoke test fails, and rolls back in one command", async () => {
    const { platform, run } = account;
    const { answered } = platform.account;
    changeSettings();
    const { child, ended } = run("scripts/deploy.ts", ["--url", platform.url, "--watch", "10m"]);
    await vi.waitUntil(() => answered.has(idOf(2)), { timeout: 4 * LONG.timeout });
    child.kill("SIGKILL");
    await ended;
    expect(shares()).toEqual({ 1: 90, 2: 10 });

    // The stand-in's Worker answers only /health.
    vi.stubEnv("SMOKE_API_KEY", "a-key");
    const { code, stdout, stderr, writes } = await deploy();
    vi.unstubAllEnvs();
    expect(code).toBe(1);
    expect(stdout).toContain(
      `go on with 10 % of the requests, which an interrupted deployment gave to version ${idOf(2)}`,
    );
    expect(stderr).toContain(`Version ${idOf(2)} was taken back: `);
    expect(stderr).toContain("GET /api/v1/user/products answered 400 instead of 401");
    // The script gives the new version its share of requests, and takes it back.
    expect(writes).toEqual([...TRIGGERS, ...SHARING, ...SHARING]);
    expect(stdout).toMatch(
      /^database +nothing to do\nmigrations +nothing to do\nbuckets +nothing to do\nworker +nothing to do$/m,
    );
    expect(shares()).toEqual({ 1: 100 });

    const back = await run("scripts/rollback.ts", ["--to", idOf(2)]).ended;
    expect([back.code, back.stderr]).toEqual([0, ""]);
    expect(back.stdout).toContain(`100%  ${idOf(1)}`);
    expect(shares()).toEqual({ 2: 100 });
  });
});

it(
  "admits exactly the limit of keys whose objects run two versions, and no more when the versions change",
  LONG,
  async () => {
    const versions = await openVersions(
      join(inject("shop").folder, "dist"),
      join(account.checkout.folder, ".versions"),
      50,
    );
    const places = [
      { continent: "EU", country: "PT" },
      { continent: "OC", country: "AU" },
      { continent: "SA", country: "BR" },
    ];
    const admitted = async (key: string, count: number) => {
      const send = (index: number) =>
        versions.send(index % 2 ? "new" : "old", "/api/v1/user/nothing", {
          headers: { Authorization: `Bearer ${key}` },
          cf: places[index % places.length] ?? {},
        });
      const statuses = await Promise.all(Array.from({ length: count }, (_, index) => send(index)));
      return statuses.filter((status) => status === 404).length;
    };
    // A key has one object per region and one for all regions. Their names decide their version, so some of these keys
    // have objects in both.
    const keys = await Promise.all(Array.from({ length: 4 }, versions.newKey));
    expect(await Promise.all(keys.map((key) => admitted(key, 130)))).toEqual([100, 100, 100, 100]);
    const moved = await versions.newKey();
    expect(await admitted(moved, 60)).toBe(60);
    await versions.share(100);
    expect(await Promise.all(keys.map((key) => admitted(key, 6)))).toEqual([0, 0, 0, 0]);
    const rest = await admitted(moved, 60);
    expect(rest).toBeGreaterThanOrEqual(30);
    expect(rest).toBeLessThanOrEqual(40);
    await versions.close();
  },
);
