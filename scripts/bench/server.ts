import { convertV4MiniflareOptions, Miniflare, type V4WorkerOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from "wrangler";
import { build, modulesIn, type WorkerName, workers } from "./build.ts";

/** Addresses are known only for the Workers that were started. */
export type Server<Name extends WorkerName = WorkerName> = {
  /** Address of a Worker: a workerd socket without a proxy. */
  urlOf: (name: Name) => string;
  /** The shop's bindings, to prepare data before requests. They end with the runtime. */
  env: Env;
  /** Replaces the bindings in `env` by those of a restarted runtime. */
  renewBindings: () => Promise<void>;
  /** Runs the shop's schedule, as a cron trigger does. */
  runSchedule: () => Promise<unknown>;
  /** Builds the Workers again. The result replaces the running ones, on their storage. */
  rebuild: () => Promise<() => Promise<void>>;
  /** Host and port of the runtime's inspector, if it is enabled. */
  inspector: () => Promise<string>;
  stop: () => Promise<void>;
};

/** Port 0 picks any free port. `built` is a folder with the only Worker's modules, which are then not built. */
export type Options = { port?: number; inspected?: boolean; built?: string | undefined };

/** Builds Workers and runs them in one workerd, on the storage in `folder`. */
export async function serve<Name extends WorkerName>(
  names: Name[],
  folder: string,
  variables: Record<string, string>,
  { port = 0, inspected = false, built }: Options = {},
): Promise<Server<Name>> {
  const options = async () =>
    convertV4MiniflareOptions({
      resourcePersistencePath: `${folder}/v3`,
      ...(inspected && { inspectorPort: 0 }),
      handleStructuredLogs: ({ level, message }) => level === "error" && console.error(message),
      workers: await Promise.all(names.map((name) => workerOptions(name, variables, port, built))),
    });
  const miniflare = new Miniflare(await options());
  await miniflare.ready;
  const urls = new Map<Name, string>();
  for (const name of names) urls.set(name, (await miniflare.unsafeGetDirectURL(name)).origin);
  const env = { ...(await miniflare.getBindings<Env>("shop")) };
  return {
    urlOf: (name) => urls.get(name) ?? "",
    env,
    renewBindings: async () => void Object.assign(env, await miniflare.getBindings<Env>("shop")),
    runSchedule: async () => (await miniflare.getWorker("shop")).scheduled({ cron: "* * * * *" }),
    rebuild: async () => {
      const next = await options();
      return () => miniflare.setOptions(next);
    },
    inspector: async () => (await miniflare.getInspectorURL()).host,
    stop: () => miniflare.dispose(),
  };
}

/**
 * The options of a Worker from its wrangler.toml, without assets, which production serves before it calls the Worker.
 */
async function workerOptions(
  name: WorkerName,
  secrets: Record<string, string>,
  port: number,
  built: string | undefined,
): Promise<V4WorkerOptions> {
  const config = unstable_readConfig({ config: workers[name].config });
  // wrangler's bindings include .dev.vars, with which a developer's shop sends e-mails and reaches providers.
  const {
    assets: _assets,
    modulesRules: _rules,
    bindings: _bindings,
    ...options
  } = unstable_getMiniflareWorkerOptions(config).workerOptions;
  return {
    ...options,
    name,
    rootPath: built ?? process.cwd(),
    bindings: Object.assign({}, config.vars, { DEVELOPMENT: "true" }, secrets),
    modules: (built === undefined ? await build(name) : modulesIn(built)).map((path) => ({ type: "ESModule", path })),
    unsafeDirectSockets: [{ host: "127.0.0.1", port }],
  };
}
