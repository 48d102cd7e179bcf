import { parseArgs } from "node:util";
import { readDeployment } from "./deploy/config.ts";
import { useEnvironment } from "./deploy/wrangler.ts";
import { readCredentials, smoke } from "./smoke/run.ts";

// `npm run smoke -- <url>` tests that a shop works, and exits with 1 at the first failure.

const USAGE = `
  npm run smoke -- https://shop.example                    with an API key of an administrator in SMOKE_API_KEY
  npm run smoke -- https://shop.example --version <id>     against this version of the current deployment
  npm run smoke -- https://staging.example --env staging`;

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { version: { type: "string" }, env: { type: "string" } },
  });
  const [url] = positionals;
  if (!url || !URL.canParse(url)) throw new TypeError("Name the address of the shop.");
  const credentials = readCredentials();
  if (!credentials) throw new TypeError("SMOKE_API_KEY is not set: an API key with read and write.");
  useEnvironment(values.env);
  const { worker } = readDeployment();
  await smoke({ url, versionId: values.version, worker, credentials });
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}\n`);
  if (error instanceof TypeError) console.error(USAGE);
  process.exitCode = 1;
}
