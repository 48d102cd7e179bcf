import { spawn } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, type OpenShop } from "../checkout.ts";

/** `npm run example` next to a running shop: its URL, and a function that stops it. */
export async function openExample({ folder, base_url }: Pick<OpenShop, "folder" | "base_url">, wanted?: number) {
  keepSettings(join(folder, ".dev.vars"));
  const port = String(wanted ?? (await freePort()));
  const path = `${join(folder, "node_modules/.bin")}:${process.env.PATH}`;
  const env = { ...process.env, PATH: path, PORT: new URL(base_url).port, EXAMPLE_PORT: port };
  const server = spawn("node", ["scripts/example.ts"], { cwd: folder, env, detached: true, stdio: "pipe" });
  const end = () => server.pid !== undefined && server.exitCode === null && process.kill(-server.pid, "SIGKILL");
  process.once("exit", end);
  await new Promise<void>((resolve, reject) => {
    let output = "";
    const read = (chunk: Buffer) => {
      output += chunk;
      if (output.includes("The example storefront is open.")) resolve();
    };
    server.stdout.on("data", read);
    server.stderr.on("data", read);
    server.once("exit", (code) => reject(new Error(`The example ended with ${code}:\n${output}`)));
  });
  return {
    baseURL: `http://localhost:${port}`,
    close: () => {
      process.off("exit", end);
      end();
    },
  };
}

/** Lets the example change no settings of a shop that other tests use too: it adds those that are missing. */
function keepSettings(vars: string): void {
  const known = readFileSync(vars, "utf8");
  const settings = { SHOP_NAME: "Storefront", SHOP_URL: "", ORDER_URL: "", CHECKOUT_RETURN_URL: "" };
  const missing = Object.entries(settings).filter(([name]) => !known.includes(`${name}=`));
  appendFileSync(vars, missing.map(([name, value]) => `${name}='${value}'\n`).join(""));
}
