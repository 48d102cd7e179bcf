import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { aCheckout } from "../checkout.ts";
import { openPlatform, type Serve } from "./platform.ts";
import { openWrangler } from "./wrangler.ts";

/** An empty account on the stand-in, and a checkout whose scripts use it. */
export async function openAccount(serve?: Serve) {
  const checkout = await aCheckout();
  const databases = join(checkout.folder, ".databases");
  const platform = await openPlatform(databases, serve);
  const wrangler = await openWrangler(checkout.folder);
  const env = {
    PATH: `${wrangler.bin}:${join(checkout.folder, "node_modules/.bin")}:${process.env.PATH}`,
    CLOUDFLARE_API_BASE_URL: platform.url,
    CLOUDFLARE_API_TOKEN: "a-token",
    CLOUDFLARE_ACCOUNT_ID: "acc",
  };
  return {
    checkout,
    platform,
    databases,
    /** Starts a script of the checkout. */
    run: (script: string, args: string[], more = {}) => {
      const { promise, resolve } = Promise.withResolvers<{ code: number | null; stdout: string; stderr: string }>();
      const options = { cwd: checkout.folder, env: { ...process.env, ...env, ...more } };
      const child = execFile("node", [script, ...args], options, (_, stdout, stderr) =>
        resolve({ code: child.exitCode, stdout, stderr }),
      );
      return {
        child,
        ended: promise,
        /** Runs `kill -9` on the script and on the wrangler that it started, which then reaches the platform no more. */
        kill: async () => {
          platform.network.isDown = true;
          child.kill("SIGKILL");
          await promise;
          // Commands are run one after another.
          await promisify(execFile)(join(wrangler.bin, "wrangler"), ["--version"], { env: options.env });
          platform.network.isDown = false;
        },
      };
    },
    close: async () => {
      wrangler.close();
      platform.close();
      checkout.remove();
    },
  };
}
