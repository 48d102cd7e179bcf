import { bulkRunners } from "../back-office/bulk-actions/runners.ts";
import { importRunners } from "../back-office/imports/runners.ts";
import type { Runners } from "../platform/jobs/kind.ts";

/** How each kind of job is done. */
export const runners: Runners = { ...bulkRunners, ...importRunners };
