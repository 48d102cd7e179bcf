import { createRequire, registerHooks } from "node:module";
import { createServer } from "node:net";
import { text } from "node:stream/consumers";
import type { Command, Outcome } from "./wrangler.ts";

// Loads wrangler once, listens on a socket, and runs the command lines sent to it one after another.

// wrangler does not export the function that runs a command line.
registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    if (!url.endsWith("/wrangler-dist/cli.js")) return loaded;
    return { ...loaded, source: `${loaded.source}\nmodule.exports.main = main;` };
  },
});
const { main }: { main: (args: string[]) => Promise<void> } = createRequire(import.meta.url)("wrangler");

async function run({ args, cwd, env }: Command): Promise<Outcome> {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    process[name].write = (chunk: string | Uint8Array) => {
      printed[name] += chunk;
      return true;
    };
  }
  const code = await main(args).then(
    () => 0,
    () => 1,
  );
  return { code, ...printed };
}

let last: Promise<unknown> = Promise.resolve();

createServer({ allowHalfOpen: true }, async (socket) => {
  const command: Command = JSON.parse(await text(socket));
  const outcome = last.then(() => run(command));
  last = outcome;
  socket.end(JSON.stringify(await outcome));
}).listen(process.argv[2], () => process.stdout.write("ready"));
