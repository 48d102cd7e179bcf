import { rollBack } from "./deploy/rollback.ts";

// `npm run rollback` gives all requests to an earlier version of the Worker.

const USAGE = `
  npm run rollback                          to the version that answered all requests before
  npm run rollback -- --to <version id>     to this version
  npm run rollback -- --dry-run             lists the versions and says what it would do
  npm run rollback -- --env staging         in an environment of wrangler.toml`;

try {
  rollBack(process.argv.slice(2));
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}\n`);
  if (error instanceof TypeError) console.error(USAGE);
  process.exitCode = 1;
}
