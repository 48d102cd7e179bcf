import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build, type Plugin } from "esbuild";
import type { OpenApi } from "./shape.ts";

/** Stubs of runtime modules that reading the routes needs. */
const runtime: Plugin = {
  name: "cloudflare-runtime",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^cloudflare:/ }, ({ path }) => ({ path, namespace: "cloudflare" }));
    onLoad({ filter: /.*/, namespace: "cloudflare" }, () => ({
      contents: "export class DurableObject {}; export const env = {}; export const tracing = {};",
    }));
  },
};

/** Reads the OpenAPI document of the project at `root` from its routes. */
export async function readDocument(root: string): Promise<OpenApi> {
  const folder = mkdtempSync(join(tmpdir(), "openapi-"));
  const outfile = join(folder, "document.cjs");
  try {
    await build({
      absWorkingDir: resolve(root),
      entryPoints: ["scripts/openapi/document.ts"],
      bundle: true,
      outfile,
      format: "cjs",
      platform: "node",
      logLevel: "error",
      plugins: [runtime],
    });
    // vitest would transform a module loaded by import(), and the bundle is large.
    return createRequire(import.meta.url)(outfile).document;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
