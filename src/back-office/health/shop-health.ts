import { DAY_MS, HOUR_MS } from "../../domain/time.ts";
import type { AlertRow } from "../../platform/db/schema.ts";
import { type RequestFigures, requestFigures } from "../../platform/metrics/figures.ts";
import { wordsOfAlert } from "./alert-kinds.ts";
import { lastMinutes, openAlerts, resolvedAlerts } from "./alerts.ts";
import { type Background, readBackground } from "./background.ts";
import { durationInWords, FULL_SHARE } from "./conditions.ts";
import {
  type AlertContext,
  type BackupState,
  type DeploymentRow,
  newestVersions,
  readBackupState,
  type SecretRow,
  secretsInUse,
} from "./deployment.ts";

/** Number of resolved alerts shown. */
const SHOWN_RESOLVED = 5;

/** Number of versions to search for the one before the running one. */
const SHOWN_VERSIONS = 5;

export type VersionState = DeploymentRow & {
  /** Requests answered by the version in the last day. Null if none. */
  requests: RequestFigures | null;
};

export const healthStatuses = ["ok", "warning", "critical"] as const;

/** The health of a shop, for operators. */
export type ShopHealth = Background & {
  status: (typeof healthStatuses)[number];
  /** The status in a sentence. */
  summary: string;
  /** Open alerts, urgent ones first. */
  alerts: AlertRow[];
  resolved: AlertRow[];
  hour: RequestFigures;
  day: RequestFigures;
  databaseLimitBytes: number;
  /** Id of the running version. */
  runningVersion: string;
  /** Versions of the last deployments, newest first. */
  versions: VersionState[];
  secrets: SecretRow[];
  backup: BackupState;
};

/** Reads the health of the shop. All round trips run in parallel, including those to the objects of webhooks. */
export async function readShopHealth(ctx: AlertContext, now: number): Promise<ShopHealth> {
  const { env, db, settings } = ctx;
  const [background, backup, hour, { versions: busy, ...day }, [open, resolved, versions, secrets]] = await Promise.all(
    [
      readBackground(ctx, now),
      readBackupState(ctx, now),
      requestFigures(db, lastMinutes(now, HOUR_MS)),
      requestFigures(db, lastMinutes(now, DAY_MS)),
      db.batch([
        openAlerts(db),
        resolvedAlerts(db, SHOWN_RESOLVED),
        newestVersions(db, SHOWN_VERSIONS),
        secretsInUse(db),
      ]),
    ],
  );
  const alerts = open.toSorted((a, b) => Number(wordsOfAlert(b).isUrgent) - Number(wordsOfAlert(a).isUrgent));
  return {
    ...background,
    ...statusOf({ ...background, alerts, databaseLimitBytes: settings.databaseLimitBytes }, now),
    alerts,
    resolved,
    hour,
    day,
    databaseLimitBytes: settings.databaseLimitBytes,
    runningVersion: env.VERSION.id,
    versions: versions.map((row) => ({
      ...row,
      requests: busy.find(({ version }) => version === row.version) ?? null,
    })),
    secrets,
    backup,
  };
}

type StatusFacts = Background & Pick<ShopHealth, "alerts" | "databaseLimitBytes">;

/** The most serious problem comes first: if the schedule has stopped, nothing raises alerts. */
function statusOf(
  { schedule, queues, alerts, databaseBytes, databaseLimitBytes }: StatusFacts,
  now: number,
): Pick<ShopHealth, "status" | "summary"> {
  if (schedule.finishedAt === null)
    return critical("The schedule has never run, so nothing is sent and no unpaid order expires");
  if (schedule.isStopped)
    return critical(
      `The schedule stopped ${durationInWords(now - schedule.finishedAt)} ago, so nothing is sent and no unpaid order expires`,
    );
  if (alerts.some((alert) => wordsOfAlert(alert).isUrgent)) return critical(titles(alerts));
  const stuck = queues.filter(({ isStuck }) => isStuck).length;
  if (stuck > 0) return critical(stuck === 1 ? "A queue is stuck" : `${stuck} queues are stuck`);
  if (alerts.length > 0) return { status: "warning", summary: `${titles(alerts)}.` };
  if (databaseBytes >= FULL_SHARE * databaseLimitBytes)
    return { status: "warning", summary: "The database is nearly full." };
  return { status: "ok", summary: "Everything works." };
}

const critical = (sentence: string) => ({ status: "critical" as const, summary: `${sentence}.` });

function titles([first, ...others]: AlertRow[]): string {
  const title = first ? wordsOfAlert(first).title : "";
  return others.length > 0 ? `${title}, and ${others.length} more` : title;
}
