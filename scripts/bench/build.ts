import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { bundle } from "../build/bundle.ts";

const env = { ...process.env, CI: "1", WRANGLER_HIDE_BANNER: "true", WRANGLER_SEND_METRICS: "false" };

/** Runs wrangler, and answers what it printed. Throws that when it fails. */
function wrangler(...args: string[]): string {
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

/** Builds a Worker as it is deployed, and answers its modules, the one that begins first. */
export async function build(name: WorkerName): Promise<string[]> {
  const outdir = `.bench/build/${name}`;
  await bundle(workers[name].main, outdir);
  const others = readdirSync(outdir).filter((file) => file.endsWith(".mjs") && file !== "index.mjs");
  return ["index.mjs", ...others].map((file) => `${outdir}/${file}`);
}

/** What `wrangler check startup` measures of the Worker's start: the lines with figures. */
export const startup = (): string =>
  wrangler("check", "startup", "--outfile", ".bench/startup.cpuprofile")
    .split("\n")
    .map((line) => line.replace(/^│\s*/, ""))
    .filter((line) => /^(Bundle|Profile window|Active):/.test(line))
    .join(", ");
