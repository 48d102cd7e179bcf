import { deploy } from "./deploy/command.ts";

// `npm run deploy` brings the platform from any state to this code. A second run changes nothing.

const USAGE = `
  npm run deploy                               creates what is missing, applies migrations, deploys
  npm run deploy -- --dry-run                  says what it would do
  npm run deploy -- --watch 30m                how long a new version is watched at 10 % of the requests; 5m if not given
  npm run deploy -- --at-once                  gives a new version all requests at once
  npm run deploy -- --env staging              deploys an environment of wrangler.toml
  npm run deploy -- --url https://shop.example    where the shop answers, if not on workers.dev`;

try {
  await deploy(process.argv.slice(2));
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}\n`);
  if (error instanceof TypeError) console.error(USAGE);
  process.exitCode = 1;
}
