import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Runs `npm run admin -- … --local` in a checkout with a wrangler that records its arguments first. `asked` is what a
 * process list would show, `files` the contents of the files that were passed.
 */
export async function administer(folder: string, ...args: string[]) {
  const spy = mkdtempSync(join(folder, "spy-"));
  const bin = join(folder, "node_modules/.bin");
  writeFileSync(join(spy, "wrangler"), noting(join(bin, "wrangler"), spy), { mode: 0o755 });
  const options = { cwd: folder, env: { ...process.env, PATH: `${spy}:${bin}:${process.env.PATH}` } };
  const output = await new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = execFile("node", ["scripts/admin.ts", "--local", ...args], options, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
  const noted = (name: string) => (existsSync(join(spy, name)) ? readFileSync(join(spy, name), "utf8") : "");
  const seen = { ...output, asked: noted("asked"), files: noted("files"), rights: noted("rights") };
  rmSync(spy, { recursive: true });
  return seen;
}

const noting = (wrangler: string, spy: string) => `#!/bin/sh
printf '%s\\n' "$@" >> "${spy}/asked"
for file in "$@"; do [ -f "$file" ] && ls -l "$file" >> "${spy}/rights" && cat "$file" >> "${spy}/files"; done
exec "${wrangler}" "$@"
`;
