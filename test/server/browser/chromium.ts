import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import type { LaunchOptions } from "playwright-core";

// The package contains archives of a browser for Linux, the libraries it needs and a font.

const require = createRequire(import.meta.url);
const PACKAGE = resolve(dirname(require.resolve("@sparticuz/chromium")), "../..");

/**
 * V8 only optimizes code that runs as long as the hash of a large upload. Most scripts run once, and optimizing them
 * costs more than it saves.
 */
const HOT_CODE_ONLY = [
  "--invocation-count-for-maglev=100000",
  "--interrupt-budget-for-maglev=100000000",
  "--interrupt-budget=200000000",
];

/** Playwright's launch options. Systems other than Linux use the installed Chrome. */
export function chromium(): LaunchOptions {
  if (process.platform !== "linux" || process.arch !== "x64") return { channel: "chrome" };
  const folder = unpacked();
  return {
    executablePath: join(folder, "chromium"),
    // Without a GPU, emulated GPU painting takes longer.
    args: ["--disable-gpu", `--js-flags=${HOT_CODE_ONLY.join()}`],
    env: { ...process.env, LD_LIBRARY_PATH: join(folder, "al2023/lib"), FONTCONFIG_FILE: join(folder, "fonts.conf") },
  };
}

/** Unpacks the archives once. The folder gets its name when it is complete, so that an aborted one is never used. */
function unpacked(): string {
  const { version } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
  const folder = resolve("node_modules/.cache/chromium", version);
  if (existsSync(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  const partial = mkdtempSync(`${folder}-`);
  for (const name of ["al2023", "fonts"]) untar(archive(`${name}.tar.br`), join(partial, name));
  writeFileSync(join(partial, "fonts.conf"), fontsIn(folder));
  writeFileSync(join(partial, "chromium"), archive("chromium.br"), { mode: 0o755 });
  try {
    renameSync(partial, folder);
  } catch (error) {
    rmSync(partial, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

const archive = (name: string): Buffer => brotliDecompressSync(readFileSync(join(PACKAGE, "bin", name)));

function untar(input: Buffer, folder: string): void {
  mkdirSync(folder);
  const { status, stderr, error } = spawnSync("tar", ["-x", "-C", folder], { input });
  if (status !== 0) throw error ?? new Error(`tar: ${stderr}`);
}

/** Adds the package's fonts to the machine's. Without any font, Chromium shows no page at all. */
const fontsIn = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <cachedir>${folder}/cache</cachedir>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
</fontconfig>
`;
