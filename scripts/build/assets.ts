import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { buildClientPackage } from "./client-package.ts";

const PANEL = "src/panel/browser";
const PANEL_ASSETS = "public/admin-assets";

const REFERENCE = "public/docs";
const REFERENCE_ASSETS = "public/docs-assets";

/** Writes the served files that are not in Git: minified styles and scripts, the pages and requests of the reference, the client's package. */
export async function buildAssets(): Promise<void> {
  buildPanel();
  buildClientPackage();
  await buildReference();
}

async function buildReference(): Promise<void> {
  buildSync({
    entryPoints: ["reference.js", "reference.css"].map((name) => `scripts/reference/browser/${name}`),
    outdir: REFERENCE_ASSETS,
    bundle: true,
    external: ["/admin-assets/*"],
    format: "esm",
    minify: true,
    charset: "utf8",
  });
  const { pages } = await import("../reference/pages.ts");
  const { collection } = await import("../reference/collection.ts");
  writeFileSync("public/collection.json", collection());
  const written = new Map(await pages());
  mkdirSync(REFERENCE, { recursive: true });
  for (const [name, text] of written) writeFileSync(join(REFERENCE, name), text);
  // Deletes the page of a group that was renamed.
  for (const name of readdirSync(REFERENCE)) {
    if (!written.has(name)) rmSync(join(REFERENCE, name), { recursive: true });
  }
}

function buildPanel(): void {
  mkdirSync(PANEL_ASSETS, { recursive: true });
  const names = readdirSync(PANEL);
  buildSync({
    entryPoints: names.filter((name) => /\.(js|css)$/.test(name)).map((name) => join(PANEL, name)),
    outdir: PANEL_ASSETS,
    minify: true,
    charset: "utf8",
  });
  for (const name of names) if (name.endsWith(".svg")) copyFileSync(join(PANEL, name), join(PANEL_ASSETS, name));

  // SHA-256 for the panel's uploads, because the browser's own cannot hash a stream.
  buildSync({
    stdin: { contents: 'export { SHA256 } from "@stablelib/sha256";', resolveDir: "." },
    outfile: join(PANEL_ASSETS, "sha256.js"),
    bundle: true,
    format: "esm",
    minify: true,
    mangleProps: /^_|State$|^(clean|finish|reset|blockSize|digestLength|bufferLength|bytesHashed)$/,
    banner: { js: "// @stablelib/sha256: Copyright (C) 2016 Dmitry Chestnykh, MIT licence" },
  });
}
