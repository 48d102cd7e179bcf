import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { contractsAfter } from "../../../../scripts/database/compatibility.ts";
import { BREAKPOINT } from "../../../../scripts/database/migrations.ts";
import { buildTag } from "../../../../scripts/deploy/build.ts";
import { deploy } from "../../../../scripts/deploy/command.ts";
import { readDeployment } from "../../../../scripts/deploy/config.ts";
import { sourcesOf } from "../../../../scripts/deploy/figures.ts";
import { answeringVersion, waitForHealth } from "../../../../scripts/deploy/health.ts";
import { rollBack } from "../../../../scripts/deploy/rollback.ts";
import { watch } from "../../../../scripts/deploy/watch.ts";

// Uses a stand-in for wrangler. test/server/deploy/ checks that wrangler's real output is as read here.

const NAMES = { name: "storefront", database: "storefront", bucket: "storefront-files" };

const CODE = "c0de00000001";
const NEW_CODE = "c0de00000002";

vi.mock("node:child_process");
vi.mock("../../../../scripts/database/compatibility.ts");
vi.mock("../../../../scripts/deploy/build.ts");
vi.mock("../../../../scripts/deploy/health.ts");
vi.mock("../../../../scripts/deploy/toml.ts", () => {
  const settings = (env: string) => ({
    name: NAMES.name,
    vars: { WORKER_URL: "https://shop.example", TEST_PAYMENTS: testPayments, STAGING: String(env === "staging") },
    d1_databases: [{ database_name: [NAMES.database, env].filter(Boolean).join("-"), migrations_dir: FOLDER }],
    r2_buckets: [{ binding: "FILES", bucket_name: NAMES.bucket }],
  });
  return { readToml: () => ({ ...settings(""), env: { staging: settings("staging") } }) };
});

const FOLDER = mkdtempSync(join(tmpdir(), "migrations-"));
afterAll(() => rmSync(FOLDER, { recursive: true }));

/** Small ones, because each deployment makes their database twice. */
const MIGRATIONS = {
  "0000_tables.sql": [
    "CREATE TABLE agents (id integer PRIMARY KEY)",
    "CREATE TABLE users (id integer PRIMARY KEY, name text, role text)",
    "CREATE INDEX users_by_name ON users (name)",
  ],
  "0001_guards.sql": ["CREATE TRIGGER users_stay BEFORE DELETE ON users BEGIN SELECT RAISE(ABORT, 'users_stay'); END"],
};
for (const [file, statements] of Object.entries(MIGRATIONS)) {
  writeFileSync(join(FOLDER, file), `${statements.join(`;${BREAKPOINT}`)};`);
}
const migrations = Object.keys(MIGRATIONS);
const SECRETS = ["API_KEY_SECRET", "LINK_SECRET", "TOKEN_KEYS", "SIGNING_KEYS"];

/** The platform's account: its contents, its failures, and the writes it received. */
let account: {
  /** Undefined if there is none. */
  database: DatabaseSync | undefined;
  hasSubdomain: boolean;
  hasR2: boolean;
  hasBucket: boolean;
  secrets: string[] | null;
  versions: { id: string; tag: string; objects: string }[];
  /** Deployments, newest first: percentages by version. */
  deployments: Record<string, number>[];
  /** Requests and failures of each version, as counted by the Worker. */
  counts: { version: string; requests: number; errors: number }[];
  objectsMigrate: boolean;
};
let failing: string | undefined;
/** True if the failing command has its effect, and only its answer is lost. */
let isLost: boolean;
let testPayments: string;
let writes: string[];

const IMPORT = "d1 execute --remote --yes --file";

const MISSING = new Error("[code: 10007]");

const versionNamed = (id: string | undefined) => {
  const index = account.versions.findIndex((version) => version.id === id);
  const { tag = "", objects = "" } = account.versions[index] ?? {};
  return {
    id,
    metadata: { created_on: `2026-01-01T00:0${index}:00Z` },
    annotations: { "workers/tag": tag },
    resources: { script_runtime: { migration_tag: objects } },
  };
};

const deploymentOf = (shares: Record<string, number> = {}, age: number) => ({
  created_on: `2026-01-01T00:0${9 - age}:00Z`,
  versions: Object.entries(shares).map(([version_id, percentage]) => ({ version_id, percentage })),
});

const READS: Record<string, (args: readonly string[]) => string | Error> = {
  "d1 execute --remote --json": (args) => queried(args.at(-1) ?? ""),
  "r2 bucket info": () =>
    account.hasBucket ? "{}" : new Error(account.hasR2 ? "[code: 10006]" : "Please enable R2 [code: 10042]"),
  "auth token": () => "a-token",
  whoami: () => JSON.stringify({ accounts: [{ id: "acc" }] }),
  "secret list": () => (account.secrets ? JSON.stringify(account.secrets.map((name) => ({ name }))) : MISSING),
  "deployments status": () =>
    account.deployments.length > 0 ? JSON.stringify(deploymentOf(account.deployments[0], 0)) : MISSING,
  "deployments list": () => JSON.stringify(account.deployments.map(deploymentOf)),
  "versions view": (args) => JSON.stringify(versionNamed(args[2])),
  "versions list": () => JSON.stringify(account.versions.map(({ id }) => versionNamed(id))),
};

const WRITES: Record<string, (args: readonly string[]) => string | undefined> = {
  "d1 create": () => void Object.assign(account, { database: new DatabaseSync(":memory:") }),
  [IMPORT]: (args) => void account.database?.exec(readFileSync(args.at(-1) ?? "", "utf8")),
  "r2 bucket create": () => void Object.assign(account, { hasBucket: true }),
  "versions upload": (args) => uploaded(args),
  "versions deploy": (args) => {
    const shares = args.filter((word) => word.endsWith("%")).map((word) => word.slice(0, -1).split("@"));
    account.deployments.unshift(Object.fromEntries(shares.map(([id, percent]) => [id, Number(percent)])));
    return undefined;
  },
  deploy: (args) => {
    Object.assign(account, { secrets: SECRETS });
    const output = uploaded(args);
    account.deployments.unshift({ [`version-${account.versions.length}`]: 100 });
    return output;
  },
};

function uploaded(args: readonly string[]): string {
  const id = `version-${account.versions.length + 1}`;
  account.versions.push({ id, tag: args[args.indexOf("--tag") + 1] ?? "", objects: "v1" });
  return `Version ID: ${id}`;
}

function queried(sql: string): string | Error {
  if (!account.database) return new Error("Couldn't find a D1 DB");
  if (sql.includes("request_counts")) return JSON.stringify([{ results: account.counts }]);
  try {
    return JSON.stringify([{ results: account.database.prepare(sql).all() }]);
  } catch (error) {
    return new Error(`${error}: SQLITE_ERROR [code: 7500]`);
  }
}

function answer(args: readonly string[]): string | Error {
  const line = args.join(" ").replace(/ storefront\S*(?= --)/, "");
  const asked = (verb: string) => line.startsWith(verb);
  const read = Object.keys(READS).find(asked);
  if (read) return READS[read]?.(args) ?? "";
  const write = Object.keys(WRITES).find(asked) ?? args.join(" ");
  if (write === failing && !isLost) return new Error("An unknown error has occurred");
  if (write === "versions upload" && account.objectsMigrate) return new Error("has a pending Durable Object migration");
  writes.push(write === "versions deploy" ? args.slice(0, args.indexOf("--yes")).join(" ") : write);
  const output = WRITES[write]?.(args) ?? "";
  return write === failing ? new Error("Killed") : output;
}

function wrangler(_: string, args: readonly string[] = []) {
  const answered = answer(args);
  if (answered instanceof Error) return { status: 1, stdout: "", stderr: answered.message };
  return { status: 0, stdout: answered, stderr: "" };
}

const log = vi.spyOn(console, "log");
const printed = () => log.mock.calls.flat().join("\n");

beforeEach(() => {
  account = {
    database: undefined,
    hasSubdomain: true,
    hasR2: true,
    hasBucket: false,
    secrets: null,
    versions: [],
    deployments: [],
    counts: [],
    objectsMigrate: false,
  };
  [failing, isLost] = [undefined, false];
  testPayments = "false";
  writes = [];
  vi.mocked(buildTag).mockReturnValue(CODE);
  vi.mocked(answeringVersion).mockResolvedValue("");
  vi.mocked(waitForHealth).mockResolvedValue();
  vi.stubGlobal("fetch", async () =>
    account.hasSubdomain
      ? Response.json({ success: true, errors: [], result: { subdomain: "shop" } })
      : Response.json({ success: false, errors: [{ code: 10_007, message: "" }], result: null }, { status: 404 }),
  );
  vi.mocked(spawnSync).mockImplementation((command, args) => wrangler(command, args) as SpawnSyncReturns<string>);
  log.mockReset();
});

it("describes with --dry-run what it would do, down to the one missing secret, and changes nothing", async () => {
  account.secrets = ["API_KEY_SECRET", "TOKEN_KEYS", "SIGNING_KEYS"];
  await deploy(["--dry-run"]);
  for (const text of ["would create the D1 database storefront", ...migrations, "R2 bucket"]) {
    expect(printed()).toContain(text);
  }
  expect(printed()).toMatch(/would upload the code, a new LINK_SECRET$/m);
  expect(writes).toEqual([]);
});

it("applies migrations before code is live; a failed step says what is done and what is not", async () => {
  failing = "deploy";
  const failed = deploy([]);
  await expect(failed).rejects.toThrow(
    "Done: versions, database, migrations, buckets. Failed: worker. Not begun: routes, trial, health.",
  );
  await expect(failed).rejects.toThrow("run the command again");
  expect(printed()).toMatch(
    /upload the code, a new API_KEY_SECRET, a new LINK_SECRET, a new TOKEN_KEYS, a new SIGNING_KEYS$/m,
  );
  expect(writes).toEqual(["d1 create", IMPORT, "r2 bucket create"]);
});

it.each(
  ["d1 create", IMPORT, "r2 bucket create", "deploy"].flatMap((step) => [
    { step, when: "before it has an effect" },
    { step, when: "after its effect" },
  ]),
)("continues a run that ended at $step, $when, to the same shop", async ({ step, when }) => {
  vi.mocked(contractsAfter).mockReturnValue([]);
  [failing, isLost] = [step, when.startsWith("after")];
  await expect(deploy([])).rejects.toThrow("run the command again");
  failing = undefined;
  await deploy([]);
  expect(writes.filter((write) => write === step)).toHaveLength(1);
  expect(account.secrets).toEqual(SECRETS);
  expect(account.database?.prepare("SELECT name FROM d1_migrations").all()).toEqual(
    migrations.map((name) => ({ name })),
  );
  writes = [];
  await deploy([]);
  expect(writes).toEqual(["triggers deploy"]);
});

it.each([
  {
    what: "R2 is off",
    state: { hasR2: false },
    words: "R2 is off in this account: https://dash.cloudflare.com/?to=/:account/r2/overview",
  },
  {
    what: "it has no workers.dev subdomain",
    state: { hasSubdomain: false },
    words: "no workers.dev subdomain. Choose one at https://dash.cloudflare.com/acc/workers/onboarding",
  },
])("changes nothing in an account that is not ready, and says what to click: $what", async ({ state, words }) => {
  Object.assign(account, state);
  await expect(deploy([])).rejects.toThrow(words);
  expect(writes).toEqual([]);
});

it("names what a half migrated database has, and what to do, before anything is changed", async () => {
  const database = new DatabaseSync(":memory:");
  Object.assign(account, { database });
  database.exec("CREATE TABLE agents (id integer PRIMARY KEY)");
  const refused = deploy([]);
  await expect(refused).rejects.toThrow(
    "storefront differs from what its 0 applied migrations make:\n  table agents comes from no applied migration",
  );
  await expect(refused).rejects.toThrow("npx wrangler d1 delete storefront");
  expect(writes).toEqual([]);
});

it("stops before traffic if the database is not what the migrations make, and names the difference", async () => {
  await deploy([]);
  writes = [];
  account.database?.exec("DROP TRIGGER users_stay; DROP INDEX users_by_name; CREATE INDEX users_by_name ON users (id)");
  const refused = deploy(["--dry-run"]);
  await expect(refused).rejects.toThrow("  trigger users_stay is missing\n");
  await expect(refused).rejects.toThrow("index users_by_name differs: CREATE INDEX users_by_name ON users (id)");
  await expect(refused).rejects.toThrow("npx wrangler d1 time-travel restore storefront --timestamp");
});

it("refuses test payments unless the environment is declared as staging", async () => {
  testPayments = "true";
  vi.stubEnv("CLOUDFLARE_ENV", "");
  await expect(deploy([])).rejects.toThrow('TEST_PAYMENTS is "true"');
  expect([printed(), writes]).toEqual(["", []]);
  await deploy(["--dry-run", "--env", "staging"]);
  expect(printed()).toContain("would create the D1 database storefront-staging");
});

it("refuses an environment that wrangler.toml does not have, and names those that it has", async () => {
  await expect(deploy(["--env", "stage"])).rejects.toThrow('no environment "stage". It has: staging, production.');
  expect(writes).toEqual([]);
});

it("refuses an unknown option", async () => {
  await expect(deploy(["--dryrun"])).rejects.toThrow(TypeError);
  expect(writes).toEqual([]);
});

describe("with a running version", () => {
  const NEXT = ["--watch", "0s"];

  beforeEach(async () => {
    vi.mocked(contractsAfter).mockReturnValue([]);
    await deploy([]);
    vi.mocked(buildTag).mockReturnValue(NEW_CODE);
    writes = [];
  });

  const split = ["versions deploy version-1@90% version-2@10%"];

  it("gives a new version 10 % of the requests, then all", async () => {
    await deploy(NEXT);
    expect(writes).toEqual(["versions upload", "triggers deploy", ...split, "versions deploy version-2@100%"]);
    expect(printed()).toContain("SMOKE_API_KEY is not set");
    writes = [];
    await deploy(NEXT);
    expect(writes).toEqual(["triggers deploy"]);
  });

  it("takes back a version that does not answer", async () => {
    vi.mocked(waitForHealth).mockRejectedValueOnce(new Error("status 500"));
    await expect(deploy(NEXT)).rejects.toThrow(
      "Version version-2 was taken back: status 500\nversion-1 answers all requests again",
    );
    expect(writes.slice(2)).toEqual([...split, "versions deploy version-1@100%"]);
  });

  it.each([
    {
      what: "fails more often than the old one",
      counts: [50, 3, 950, 9],
      words: "3 of 50 requests failed; of the old version 9 of 950",
    },
    { what: "stops answering", counts: [0, 0, 0, 0], words: "/health failed 3 times in a row: gone" },
  ])("rejects a version that $what while it is watched", async ({ counts, words }) => {
    const [requests = 0, errors = 0, before = 0, failed = 0] = counts;
    account.counts = [
      { version: "version-2", requests, errors },
      { version: "version-1", requests: before, errors: failed },
    ];
    if (requests === 0) vi.mocked(answeringVersion).mockRejectedValue(new Error("gone"));
    const target = { url: "https://shop.example", worker: "storefront", versionId: "version-2" };
    vi.useFakeTimers();
    const watched = watch({ target, old: "version-1", sources: sourcesOf(readDeployment()), ms: 300_000 });
    const refused = expect(watched).rejects.toThrow(words);
    await vi.runAllTimersAsync();
    vi.useRealTimers();
    await refused;
  });

  it("continues an interrupted deployment of this code, and takes back one of other code", async () => {
    failing = "triggers deploy";
    await expect(deploy(NEXT)).rejects.toThrow("Failed: routes");
    account.deployments.unshift({ "version-1": 90, "version-2": 10 });
    failing = undefined;
    writes = [];
    await deploy(["--dry-run"]);
    expect(printed()).toContain(
      "would go on with 10 % of the requests, which an interrupted deployment gave to version version-2",
    );
    vi.mocked(buildTag).mockReturnValue(CODE);
    await deploy(NEXT);
    expect(writes).toEqual(["versions deploy version-1@100%", "triggers deploy"]);
    account.deployments.unshift({ "version-1": 90, "version-2": 10 });
    vi.mocked(buildTag).mockReturnValue(NEW_CODE);
    writes = [];
    await deploy(NEXT);
    expect(writes).toEqual(["triggers deploy", ...split, "versions deploy version-2@100%"]);
  });

  it("gives code that migrates Durable Objects all requests at once, as with --at-once, and says so", async () => {
    account.objectsMigrate = true;
    await deploy(NEXT);
    expect(writes).toEqual(["deploy"]);
    expect(printed()).toContain("It migrates Durable Objects");
    vi.mocked(buildTag).mockReturnValue("c0de00000003");
    writes = [];
    await deploy(["--at-once"]);
    expect(writes).toEqual(["deploy"]);
  });

  it("refuses migrations that remove what the running release uses", async () => {
    const contract = { migration: "0002_drop.sql", subject: "products.old", since: "9.0.0" };
    vi.mocked(contractsAfter).mockReturnValue([contract]);
    await expect(deploy(NEXT)).rejects.toThrow(
      "products.old (unused since 9.0.0). Deploy the release in between first",
    );
    expect(writes).toEqual([]);
  });

  it("rolls back to the previous version, or ends a split", async () => {
    await deploy(NEXT);
    writes = [];
    rollBack(["--dry-run"]);
    expect(printed()).toMatch(/100% {2}version-2 .* migrations$/m);
    rollBack([]);
    expect(writes).toEqual(["versions deploy version-1@100%"]);
    account.deployments.unshift({ "version-1": 90, "version-2": 10 });
    rollBack([]);
    expect(account.deployments[0]).toEqual({ "version-1": 100 });
    expect(() => rollBack(["--to", "version-1"])).toThrow("answers all requests already");
  });

  it("refuses to roll back to a version that the database or the Durable Objects have outgrown", async () => {
    await deploy(NEXT);
    writes = [];
    vi.mocked(contractsAfter).mockReturnValue([
      { migration: "0002_drop.sql", subject: "products.old", since: "1.1.0" },
    ]);
    expect(() => rollBack([])).toThrow("products.old, gone with 0002_drop.sql; releases since 1.1.0 run without it");
    Object.assign(account.versions[1] ?? {}, { objects: "v2" });
    expect(() => rollBack([])).toThrow("Durable Objects were migrated since version version-1 (v1 to v2)");
    expect(writes).toEqual([]);
  });

  it("refuses an unreadable time", async () => {
    await expect(deploy(["--watch", "soon"])).rejects.toThrow("--watch takes a time such as 30s, 5m or 1h");
  });
});
