import { copyFileSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

// Puts the viewer of the reference pages, with its licences, where assets are served from. wrangler runs it before each build.

const VENDOR = "public/docs/vendor";
const FILES = ["swagger-ui.css", "swagger-ui-bundle.js", "swagger-ui-bundle.js.LICENSE.txt", "LICENSE", "NOTICE"];

const require = createRequire(import.meta.url);
const home = dirname(require.resolve("swagger-ui-dist/package.json"));
mkdirSync(VENDOR, { recursive: true });
for (const name of FILES) copyFileSync(join(home, name), join(VENDOR, name));
