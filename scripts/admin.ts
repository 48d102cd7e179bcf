import { administer } from "./administrators/command.ts";

// `npm run admin` creates an administrator, or helps one who is locked out.

try {
  await administer(process.argv.slice(2));
} catch (error) {
  console.error(`\n  ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
