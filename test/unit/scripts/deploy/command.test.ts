import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { beforeEach, expect, it, vi } from "vitest";
import { deploy } from "../../../../scripts/deploy/command.ts";

// Against a stand-in for wrangler. That wrangler prints what it is read for, test/server/deploy/ sees.

const NAMES = { name: "storefront", database: "storefront", bucket: "storefront-files" };

vi.mock("node:child_process");
vi.mock("../../../../scripts/deploy/build.ts", () => ({ buildTag: () => "the code" }));
vi.mock("../../../../scripts/deploy/health.ts");
vi.mock("wrangler", () => ({
  unstable_readConfig: () => ({
    vars: {},
    definedEnvironments: ["staging"],
    name: NAMES.name,
    d1_databases: [{ database_name: NAMES.database, migrations_dir: "migrations" }],
    r2_buckets: [{ bucket_name: NAMES.bucket }],
  }),
}));

const migrations = readdirSync("migrations").filter((file) => file.endsWith(".sql"));
const SECRETS = ["API_KEY_SECRET", "LINK_SECRET", "TOKEN_KEYS", "SIGNING_KEYS"];

/** The platform's account: what it has, what fails there, and what was asked of it that writes. */
let account: { applied: string[] | null; hasBucket: boolean; secrets: string[] | null };
let failing: string | undefined;
let writes: string[];

const READS: Record<string, () => string | Error> = {
  "d1 execute": () => rowsOf(account.applied?.map((name) => ({ name }))) ?? new Error("Couldn't find a D1 DB"),
  "r2 bucket info": () => (account.hasBucket ? "{}" : new Error("[code: 10006]")),
  "secret list": () =>
    account.secrets ? JSON.stringify(account.secrets.map((name) => ({ name }))) : new Error("[code: 10007]"),
};

const WRITES: Record<string, () => void> = {
  "d1 create": () => Object.assign(account, { applied: [] }),
  "d1 migrations apply": () => Object.assign(account, { applied: migrations }),
  "r2 bucket create": () => Object.assign(account, { hasBucket: true }),
  deploy: () => Object.assign(account, { secrets: SECRETS }),
};

const rowsOf = (results: object[] | undefined) => results && JSON.stringify([{ results }]);

function answer(args: readonly string[]): string | Error {
  const asked = (verb: string) => args.join(" ").startsWith(verb);
  const read = Object.keys(READS).find(asked);
  if (read) return READS[read]?.() ?? "";
  const write = Object.keys(WRITES).find(asked) ?? args.join(" ");
  if (write === failing) return new Error("An unknown error has occurred");
  writes.push(write);
  WRITES[write]?.();
  return "Version ID: the-version";
}

function wrangler(_: string, args: readonly string[] = []) {
  const answered = answer(args);
  if (answered instanceof Error) return { status: 1, stdout: "", stderr: answered.message };
  return { status: 0, stdout: answered, stderr: "" };
}

const log = vi.spyOn(console, "log");
const printed = () => log.mock.calls.flat().join("\n");

beforeEach(() => {
  account = { applied: null, hasBucket: false, secrets: null };
  failing = undefined;
  writes = [];
  vi.mocked(spawnSync).mockImplementation((command, args) => wrangler(command, args) as SpawnSyncReturns<string>);
  log.mockReset();
});

it("says with --dry-run what it would do, down to the one secret that is gone, and changes nothing", async () => {
  account.secrets = ["API_KEY_SECRET", "TOKEN_KEYS", "SIGNING_KEYS"];
  await deploy(["--dry-run"]);
  for (const text of ["would create the D1 database storefront", ...migrations, "R2 bucket"]) {
    expect(printed()).toContain(text);
  }
  expect(printed()).toMatch(/would deploy the code, a new LINK_SECRET$/m);
  expect(writes).toEqual([]);
});

it("applies migrations before code is live; a step that fails says what is done and what is not", async () => {
  failing = "deploy";
  const failed = deploy([]);
  await expect(failed).rejects.toThrow(
    "Done: database, migrations, buckets. Failed: worker. Not begun: routes, health.",
  );
  await expect(failed).rejects.toThrow("run the command again");
  expect(printed()).toMatch(
    /deploy the code, a new API_KEY_SECRET, a new LINK_SECRET, a new TOKEN_KEYS, a new SIGNING_KEYS$/m,
  );
  expect(writes).toEqual(["d1 create", "d1 migrations apply", "r2 bucket create"]);
});

it("goes on where it failed", async () => {
  failing = "deploy";
  await expect(deploy([])).rejects.toThrow("Failed: worker");
  failing = undefined;
  writes = [];
  await deploy([]);
  expect(writes[0]).toBe("deploy");
  expect(writes).not.toContain("d1 create");
  expect(account.secrets).toEqual(SECRETS);
});

it("refuses an option that it does not know", async () => {
  await expect(deploy(["--dryrun"])).rejects.toThrow(TypeError);
  expect(writes).toEqual([]);
});
