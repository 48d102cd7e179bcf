import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import type { AlertKind, AlertRow } from "../../platform/db/schema.ts";

/** How long a condition must be gone before its alert is resolved, so that one that comes and goes is one alert. */
export const CLEAR_MS = 10 * MINUTE_MS;

/** Minimum time between an alert's last e-mail and one that raises it again. */
export const QUIET_MS = HOUR_MS;

/** Time after which an e-mail is sent again about an open alert. */
export const REMIND_MS = DAY_MS;

/** A condition that deserves an alert, and its subject. */
export type Condition = { kind: AlertKind; about: string; summary: string };

/** The changes made by a check, and the alerts named in its e-mail. */
export type AlertPlan = {
  raised: Condition[];
  /** Open alerts whose condition is present. */
  seen: (Condition & { id: number })[];
  /** Open alerts whose condition ended with this check. */
  cleared: AlertRow[];
  resolved: AlertRow[];
  email: { raised: Condition[]; open: Condition[]; resolved: AlertRow[] };
};

const keyOf = ({ kind, about }: Pick<Condition, "kind" | "about">): string => `${kind} ${about}`;

/**
 * Plans a check. `known` has the open alerts and those sent by e-mail within the quiet time. `conditions` has each kind
 * and subject once.
 */
export function planAlerts(conditions: readonly Condition[], known: readonly AlertRow[], now: number): AlertPlan {
  const open = new Map(known.filter(({ resolvedAt }) => resolvedAt === null).map((row) => [keyOf(row), row]));
  const there = new Set(conditions.map(keyOf));
  const toldLately = new Set(known.filter(({ toldAt }) => (toldAt ?? 0) > now - QUIET_MS).map(keyOf));
  const gone = [...open.values()].filter((row) => !there.has(keyOf(row)));
  const resolved = gone.filter(({ clearSince }) => clearSince !== null && clearSince <= now - CLEAR_MS);
  const toldAt = (condition: Condition): number | null => open.get(keyOf(condition))?.toldAt ?? null;
  return {
    raised: conditions.filter((condition) => !open.has(keyOf(condition))),
    seen: conditions.flatMap((condition) => {
      const row = open.get(keyOf(condition));
      return row ? [{ ...condition, id: row.id }] : [];
    }),
    cleared: gone.filter(({ clearSince }) => clearSince === null),
    resolved,
    email: {
      raised: conditions.filter((condition) => toldAt(condition) === null && !toldLately.has(keyOf(condition))),
      open: conditions.filter((condition) => (toldAt(condition) ?? now) <= now - REMIND_MS),
      resolved: resolved.filter(({ toldAt }) => toldAt !== null),
    },
  };
}
