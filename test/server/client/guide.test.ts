import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, it } from "vitest";

it("runs the samples of the client's guide as they stand", async () => {
  const { folder } = inject("shop");
  const guide = readFileSync("docs/client.md", "utf8");
  const samples = Array.from(guide.matchAll(/^```ts\n(.*?)^```/gms), ([, code = ""]) => code);
  expect(samples).toHaveLength(2);
  const file = join(folder, ".dev/try.ts");
  writeFileSync(file, `${samples.join("\n")}\nconsole.log("in stock:", variant?.in_stock);\n`);
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder });
    expect(stdout).toContain("Rain on a Tin Roof\n");
    expect(stdout).toContain("400 validation_failed");
    expect(stdout).toContain("in stock: true");
  } finally {
    rmSync(file);
  }
});
