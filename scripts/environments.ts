import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { environmentsOf, settingsOf, sharedResources, toToml } from "./deploy/environments.ts";
import { readToml } from "./deploy/toml.ts";

// `npm run environments` writes the environments at the end of wrangler.toml: the top-level settings with their own
// values. With --check it reports whether they are up to date.

const CONFIG = "wrangler.toml";
const { values: options } = parseArgs({ options: { check: { type: "boolean", default: false } } });

const config = readToml();
const text = readFileSync(CONFIG, "utf8");
const begin = text.search(/^\[\[?env\./m);
const environments = Object.entries(environmentsOf(config)).map(([name, own]) =>
  toToml(name, settingsOf(name, own, config)),
);
const current = begin < 0 ? text : `${text.slice(0, begin)}${environments.join("\n\n")}\n`;

const problems = sharedResources(config).map((words) => `${words}: give each its own`);
if (begin >= 0 && /^\[\[?(?!env\.)/m.test(text.slice(begin))) {
  problems.push("Move every table that belongs to no environment above the first [env.…] of wrangler.toml");
} else if (!options.check) writeFileSync(CONFIG, current);
else if (current !== text) problems.push("The environments of wrangler.toml are not current: run npm run environments");
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}
