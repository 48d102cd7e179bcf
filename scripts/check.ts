import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

// `npm run check` runs every script of package.json whose name begins with "check:" in parallel, and shows the output of
// failed ones.

const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync("package.json", "utf8"));
const names = Object.keys(scripts).filter((name) => name.startsWith("check:"));
const passed = await Promise.all(names.map(passes));
if (passed.includes(false)) process.exitCode = 1;

function passes(name: string): Promise<boolean> {
  const child = spawn(process.execPath, ["--run", name], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const read = (chunk: Buffer) => {
    output += chunk;
  };
  child.stdout.on("data", read);
  child.stderr.on("data", read);
  return new Promise((resolve) => {
    child.once("close", (code) => {
      console.log(code === 0 ? `${name} passed` : `${name} failed:\n${output}`);
      resolve(code === 0);
    });
  });
}
