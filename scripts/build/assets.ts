import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { buildSync } from "esbuild";

const require = createRequire(import.meta.url);

const PANEL = "src/panel/browser";
const PANEL_ASSETS = "public/admin-assets";

// The viewer of the reference pages, with its licences.
const VIEWER = "public/docs/vendor";
const FILES = ["swagger-ui.css", "swagger-ui-bundle.js", "swagger-ui-bundle.js.LICENSE.txt", "LICENSE", "NOTICE"];
const home = dirname(require.resolve("swagger-ui-dist/package.json"));

/** Writes what browsers load and the project does not keep: the panel's minified style and script, and npm packages. */
export function buildAssets(): void {
  mkdirSync(VIEWER, { recursive: true });
  for (const name of FILES) copyFileSync(join(home, name), join(VIEWER, name));

  mkdirSync(PANEL_ASSETS, { recursive: true });
  const names = readdirSync(PANEL);
  buildSync({
    entryPoints: names.filter((name) => /\.(js|css)$/.test(name)).map((name) => join(PANEL, name)),
    outdir: PANEL_ASSETS,
    minify: true,
    charset: "utf8",
  });
  for (const name of names) if (name.endsWith(".svg")) copyFileSync(join(PANEL, name), join(PANEL_ASSETS, name));

  // SHA-256 for the panel's uploads: the browser's own cannot hash a stream.
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
