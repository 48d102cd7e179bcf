import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { LONG } from "../support/long.ts";

it("runs the README's tour as printed", LONG, () => {
  const { folder } = inject("shop");
  const [, tour = ""] = /^## Five minutes$.*?^```sh$(.*?)^```$/ms.exec(readFileSync("README.md", "utf8")) ?? [];
  const inFolder = { cwd: folder, encoding: "utf8", stdio: "pipe" } as const;
  const printed = execFileSync("bash", ["-e", "-o", "pipefail", "-c", tour], inFolder);
  expect(printed.match(/^ +\{ id: \d+, name: '.+', price: [\d.]+ \},?$/gm)).toHaveLength(3);
  expect(printed).toMatch(/^ +status: 'processing',$/m);
  expect(printed).toMatch(/^X-RateLimit-Remaining: \d+/im);
  expect(statSync(join(folder, ".dev/download.wav")).size).toBeGreaterThan(8e6);
});
