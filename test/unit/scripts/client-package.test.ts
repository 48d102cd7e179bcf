import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, it } from "vitest";
import { buildClientPackage } from "../../../scripts/build/client-package.ts";
import { languages } from "../../../scripts/reference/code.ts";
import { LONG } from "../../support/long.ts";

const sample = languages.typescript?.write({
  method: "get",
  path: "/api/v1/user/categories",
  credential: "KEY",
  idempotent: false,
  inputs: [],
  body: null,
  sendsFile: false,
  returns: "json",
});

it("packs a client that Node runs and whose types compile in another project", LONG, () => {
  buildClientPackage();
  const project = mkdtempSync(join(tmpdir(), "project-"));
  const run = (command: string, args: string[]) => {
    const { stdout, stderr } = spawnSync(command, args, { cwd: project, encoding: "utf8" });
    return stdout + stderr;
  };
  try {
    run("tar", ["-xzf", resolve("public/client.tgz")]);
    const { name, dependencies } = JSON.parse(readFileSync(join(project, "package/package.json"), "utf8"));
    const installed = join(project, "node_modules", name);
    mkdirSync(dirname(installed), { recursive: true });
    cpSync(join(project, "package"), installed, { recursive: true });
    for (const dependency of [
      "@types/node",
      "openapi-typescript-helpers",
      "undici-types",
      ...Object.keys(dependencies),
    ]) {
      const link = join(project, "node_modules", dependency);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(resolve("node_modules", dependency), link);
    }
    writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module" }));
    writeFileSync(join(project, "sample.ts"), sample ?? "");
    const readme = readFileSync(join(installed, "README.md"), "utf8");
    writeFileSync(join(project, "readme.ts"), /```ts\n([^`]+)```/.exec(readme)?.[1] ?? "");
    const compiler = { module: "nodenext", target: "es2024", types: ["node"], strict: true, noEmit: true };
    const options = { ...compiler, lib: ["es2024", "dom", "dom.iterable"] };
    writeFileSync(
      join(project, "tsconfig.json"),
      JSON.stringify({ compilerOptions: options, files: ["sample.ts", "readme.ts"] }),
    );
    expect(run(resolve("node_modules/.bin/tsc"), ["-p", "."])).toBe("");
    const code = 'import * as client from "@storefront-worker/api/client"; console.log(Object.keys(client).join());';
    expect(run(process.execPath, ["--input-type=module", "-e", code]).trim()).toBe(
      "StorefrontError,WebhookVerificationError,createStorefront,verifyWebhook",
    );
  } finally {
    rmSync(project, { recursive: true });
  }
});
