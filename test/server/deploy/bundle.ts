import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import type { Serve } from "./platform.ts";
import type { Version } from "./worker.ts";

const ROOT = "/bundle";

type Binding = { type: string; name: string; text: string };

/** Runs uploaded versions in workerd, with the settings and secrets of their upload, on the database in this folder. */
export function runVersions(folder: string) {
  const running = new Map<string, Promise<Miniflare>>();
  const serve: Serve = async (version, { method, path, host, headers, raw }) => {
    const started = running.get(version.id) ?? start(version, folder);
    running.set(version.id, started);
    const runtime = await started;
    const sent = new Headers();
    for (const [name, value] of Object.entries(headers)) {
      if (!/^(?:host|connection|content-length|transfer-encoding)$/.test(name)) sent.set(name, String(value));
    }
    const body = raw.length > 0 ? raw : null;
    const init = { method, headers: sent, body, redirect: "manual" };
    const answer = await runtime.dispatchFetch(`http://${host}${path}`, init as never);
    const kept = Object.entries(Object.fromEntries(answer.headers)).filter(([name]) => name !== "content-encoding");
    const isEmpty = [204, 304].includes(answer.status);
    return new Response(isEmpty ? null : await answer.arrayBuffer(), {
      status: answer.status,
      headers: Object.fromEntries(kept),
    });
  };
  const close = async () => {
    for (const started of running.values()) await (await started).dispose();
  };
  return { serve, close };
}

async function start({ id, bundle }: Version, folder: string): Promise<Miniflare> {
  const parts = [...(await bundle.formData())];
  const metadata = JSON.parse(String(parts.find(([name]) => name === "metadata")?.[1]));
  const modules = await Promise.all(
    parts.flatMap(([name, part]) =>
      part instanceof File && part.type === "application/javascript+module"
        ? [part.text().then((contents) => ({ type: "ESModule" as const, path: `${ROOT}/${name}`, contents }))]
        : [],
    ),
  );
  const isMain = ({ path }: { path: string }) => path === `${ROOT}/${metadata.main_module}`;
  const texts: Binding[] = metadata.bindings.filter(({ type }: Binding) => /^(?:plain|secret)_text$/.test(type));
  const { workerOptions } = unstable_getMiniflareWorkerOptions("wrangler.toml");
  const { assets: _assets, modulesRules: _rules, versionMetadata: _version, ...options } = workerOptions;
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      ...options,
      handleStructuredLogs: () => {},
      resourcePersistencePath: `${folder}/v3`,
      rootPath: ROOT,
      modules: modules.sort((one, other) => Number(isMain(other)) - Number(isMain(one))),
      bindings: Object.assign({}, ...texts.map(({ name, text }) => ({ [name]: text })), { VERSION: { id } }),
    }),
  );
  await runtime.ready;
  return runtime;
}
