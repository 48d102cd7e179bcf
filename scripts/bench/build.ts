import { readdirSync } from "node:fs";
import { bundle } from "../build/bundle.ts";
import { wrangler } from "../deploy/wrangler.ts";

const WORKERS = "scripts/bench/workers";

/** The Workers that run side by side: the shop as deployed, its floor, and each with its costs counted. */
export const workers = {
  shop: { main: "src/index.ts", config: "wrangler.toml" },
  floor: { main: `${WORKERS}/floor.ts`, config: `${WORKERS}/floor.toml` },
  "shop-counted": { main: `${WORKERS}/shop-counted.ts`, config: "wrangler.toml" },
  "floor-counted": { main: `${WORKERS}/floor-counted.ts`, config: `${WORKERS}/floor.toml` },
};
export type WorkerName = keyof typeof workers;

/** Builds a Worker as deployed and returns its modules, the entry first. */
export async function build(name: WorkerName): Promise<string[]> {
  const outdir = `.bench/build/${name}`;
  await bundle(workers[name].main, outdir);
  return modulesIn(outdir);
}

/** The modules of a built Worker, the entry first. */
export function modulesIn(outdir: string): string[] {
  const others = readdirSync(outdir).filter((file) => file.endsWith(".mjs") && file !== "index.mjs");
  return ["index.mjs", ...others].map((file) => `${outdir}/${file}`);
}

/** The figures in the output of `wrangler check startup`. */
export const startup = (): string =>
  wrangler(["check", "startup", "--outfile", ".bench/startup.cpuprofile"])
    .split("\n")
    .map((line) => line.replace(/^│\s*/, ""))
    .filter((line) => /^(Bundle|Profile window|Active):/.test(line))
    .join(", ");
