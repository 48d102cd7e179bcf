import { readCredentials, smoke } from "../smoke/run.ts";
import type { Source } from "./figures.ts";
import { type Target, waitForHealth } from "./health.ts";
import { type LiveVersion, shareRequests } from "./platform.ts";
import { watch } from "./watch.ts";

/** Percentage of requests that a new version gets during its trial. */
export const TRIAL_PERCENT = 10;

/** A version on trial, and the previous version next to it. */
export type Trial = { target: Target; old: LiveVersion; sources: Source[]; watchMs: number };

/** Gives a new version some requests, tests and watches it, and then gives it all requests, or none if it fails. */
export async function tryVersion({ target, old, sources, watchMs }: Trial): Promise<void> {
  const { versionId } = target;
  // The old version always comes first, so that no Durable Object switches back and forth.
  shareRequests({ [old.id]: 100 - TRIAL_PERCENT, [versionId]: TRIAL_PERCENT }, `Try ${versionId}`);
  const interrupted = () => {
    console.error(
      `\nInterrupted: version ${versionId} keeps ${TRIAL_PERCENT} % of the requests. Run the command again to go on, or \`npm run rollback\`.`,
    );
    process.exit(1);
  };
  process.on("SIGINT", interrupted).on("SIGTERM", interrupted);
  try {
    await waitForHealth(target);
    await test(target);
    await watch({ target, old: old.id, sources, ms: watchMs });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    shareRequests({ [old.id]: 100 }, `Take back ${versionId}`);
    throw new Error(`Version ${versionId} was taken back: ${why}\n${old.id} answers all requests again.`);
  } finally {
    process.off("SIGINT", interrupted).off("SIGTERM", interrupted);
  }
  shareRequests({ [versionId]: 100 }, `${versionId} passed its trial`);
}

async function test(target: Target): Promise<void> {
  const credentials = readCredentials();
  if (credentials) return smoke({ ...target, credentials });
  console.log("            SMOKE_API_KEY is not set, so the version is watched without a smoke test.");
}
