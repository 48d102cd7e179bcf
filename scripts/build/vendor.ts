import { copyFileSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { buildSync } from "esbuild";

const require = createRequire(import.meta.url);

// The viewer of the reference pages, with its licences.
const VIEWER = "public/docs/vendor";
const FILES = ["swagger-ui.css", "swagger-ui-bundle.js", "swagger-ui-bundle.js.LICENSE.txt", "LICENSE", "NOTICE"];
const home = dirname(require.resolve("swagger-ui-dist/package.json"));

/** Copies npm packages for browsers to the assets folder. */
export function vendor(): void {
  mkdirSync(VIEWER, { recursive: true });
  for (const name of FILES) copyFileSync(join(home, name), join(VIEWER, name));

  // SHA-256 for the panel's uploads: the browser's own cannot hash a stream.
  buildSync({
    stdin: { contents: 'export { SHA256 } from "@stablelib/sha256";', resolveDir: "." },
    outfile: "public/admin-assets/sha256.js",
    bundle: true,
    format: "esm",
    minify: true,
    mangleProps: /^_|State$|^(clean|finish|reset|blockSize|digestLength|bufferLength|bytesHashed)$/,
    banner: { js: "// @stablelib/sha256: Copyright (C) 2016 Dmitry Chestnykh, MIT licence" },
  });
}
