import { parseArgs } from "node:util";
import { readDeployment } from "./config.ts";
import { hasAdministrator } from "./platform.ts";
import { type Step, stepsOf } from "./steps.ts";
import { environmentOption, useEnvironment } from "./wrangler.ts";

/** Runs the command line. Throws a message for the user if a step fails. */
export async function deploy(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      "dry-run": { type: "boolean", default: false },
      "at-once": { type: "boolean", default: false },
      watch: { type: "string", default: "5m" },
      env: { type: "string" },
      url: { type: "string" },
    },
  });
  useEnvironment(values.env);
  const dryRun = values["dry-run"];
  const deployment = readDeployment();
  const steps = stepsOf(deployment, {
    url: values.url,
    atOnce: values["at-once"],
    watchMs: milliseconds(values.watch),
  });
  for (const [index, step] of steps.entries()) {
    await take(step, dryRun).catch((cause) => {
      const stands = dryRun ? "Nothing was changed." : whereItStands(steps, index);
      throw new Error(`${cause instanceof Error ? cause.message : cause}\n\n${stands}`);
    });
  }
  if (dryRun) return console.log("\nNothing was changed.");
  console.log(`\n${deployment.worker} is deployed.`);
  if (!hasAdministrator(deployment)) {
    console.log(`Nobody can sign in yet: npm run admin -- you@example.com "Your Name"${environmentOption()}`);
  }
}

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000 };

/** Reads a duration such as "30s", "5m" or "1h". */
function milliseconds(text: string): number {
  const [, amount, unit] = /^(\d+)([smh])$/.exec(text) ?? [];
  if (amount === undefined)
    throw new TypeError(`--watch takes a time such as 30s, 5m or 1h, not ${JSON.stringify(text)}`);
  return Number(amount) * UNITS[unit as keyof typeof UNITS];
}

async function take({ name, plan, run }: Step, dryRun: boolean): Promise<void> {
  const todo = await plan();
  console.log(`${name.padEnd(11)} ${todo ? `${dryRun ? "would " : ""}${todo}` : "nothing to do"}`);
  if (todo && !dryRun) await run();
}

/** The steps that were done and not done when one failed. */
function whereItStands(steps: Step[], failed: number): string {
  const names = steps.map(({ name }) => name);
  const done = names.slice(0, failed).join(", ") || "nothing";
  return [
    `Done: ${done}. Failed: ${names[failed]}. Not begun: ${names.slice(failed + 1).join(", ") || "nothing"}.`,
    "What is done stays and harms nothing: mend what failed, and run the command again. It goes on from there.",
  ].join("\n");
}
