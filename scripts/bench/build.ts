import { spawnSync } from "node:child_process";

const env = { ...process.env, CI: "1", WRANGLER_HIDE_BANNER: "true", WRANGLER_SEND_METRICS: "false" };

/** Runs wrangler, and answers what it printed. Throws that when it fails. */
export function wrangler(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync("wrangler", args, { env, encoding: "utf8" });
  if (status !== 0) throw new Error(`wrangler ${args.join(" ")} failed:\n${stdout}${stderr}`);
  return stdout;
}

const WORKERS = "scripts/bench/workers";

/** The Workers that run side by side: the shop as it is deployed, its floor, and both once more to count what they cost. */
export const workers = {
  shop: { main: "src/index.ts", config: "wrangler.toml" },
  floor: { main: `${WORKERS}/floor.ts`, config: `${WORKERS}/floor.toml` },
  "shop-counted": { main: `${WORKERS}/shop-counted.ts`, config: "wrangler.toml" },
  "floor-counted": { main: `${WORKERS}/floor-counted.ts`, config: `${WORKERS}/floor.toml` },
};
export type WorkerName = keyof typeof workers;

/** Builds a Worker as `wrangler deploy` does, and answers where it lies. */
export function build(name: WorkerName): string {
  const { main, config } = workers[name];
  const outdir = `.bench/build/${name}`;
  wrangler("deploy", main, "--dry-run", "--config", config, "--outdir", outdir);
  return `${outdir}/${main.slice(main.lastIndexOf("/") + 1).replace(/ts$/, "js")}`;
}

/** What `wrangler check startup` measures of the Worker's start: the lines with figures. */
export const startup = (): string =>
  wrangler("check", "startup", "--outfile", ".bench/startup.cpuprofile")
    .split("\n")
    .map((line) => line.replace(/^│\s*/, ""))
    .filter((line) => /^(Bundle|Profile window|Active):/.test(line))
    .join(", ");
