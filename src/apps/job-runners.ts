import { bulkRunners } from "../bulk-actions/runners.ts";
import { importRunners } from "../imports/runners.ts";
import type { Runners } from "../jobs/kind.ts";

/** How each kind of job is done. */
export const runners: Runners = { ...bulkRunners, ...importRunners };
