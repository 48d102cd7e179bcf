import { randomBytes } from "node:crypto";
import { type Credentials, checks, type Run } from "./checks.ts";
import { clientOf, type Target } from "./client.ts";

/** The credentials in the environment. Null without an API key. */
export function readCredentials(): Credentials | null {
  const { SMOKE_API_KEY: apiKey, SMOKE_EMAIL: email, SMOKE_WEBHOOK_URL: webhookUrl } = process.env;
  return apiKey ? { apiKey, email, webhookUrl } : null;
}

/**
 * Tests that a shop works, as its callers use it: reads, an order, an account, limits and a webhook. Prints a line for
 * each check, removes its test data, and throws an explanation at the first failure.
 */
export async function smoke({
  credentials,
  print = console.log,
  ...target
}: Target & { credentials: Credentials; print?: (line: string) => void }): Promise<void> {
  const run: Run = {
    ...clientOf(target),
    credentials,
    mark: `smoke-${randomBytes(4).toString("hex")}`,
    takesTestPayments: false,
    undo: [],
  };
  try {
    for (const { name, run: check } of checks) {
      const skipped = await check(run).catch((cause) => {
        throw new Error(`${name}: no. ${cause instanceof Error ? cause.message : cause}`, { cause });
      });
      print(skipped === undefined ? `ok       ${name}` : `partly   ${name}: ${skipped}`);
    }
  } finally {
    await cleanUp(run, print);
  }
}

/** A failure to remove something is only reported, because the shop works. */
async function cleanUp({ undo, mark }: Run, print: (line: string) => void): Promise<void> {
  for (const { what, run } of undo.reverse()) {
    await run().catch((cause: Error) => print(`left     ${what} of ${mark}: ${cause.message}`));
  }
}
