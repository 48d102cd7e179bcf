import fc from "fast-check";
import { expect, it } from "vitest";
import {
  type AlertPlan,
  CLEAR_MS,
  type Condition,
  planAlerts,
  QUIET_MS,
  REMIND_MS,
} from "../../../../src/back-office/health/plan-alerts.ts";
import { MINUTE_MS } from "../../../../src/domain/time.ts";
import type { AlertRow } from "../../../../src/platform/db/schema.ts";

const CONDITIONS: Condition[] = [
  { kind: "queue_stuck", about: "emails", summary: "" },
  { kind: "queue_stuck", about: "refunds", summary: "" },
  { kind: "error_rate", about: "", summary: "" },
];

const nameOf = ({ kind, about }: Pick<Condition, "kind" | "about">) => `${kind} ${about}`;

/** Applies a plan to rows in memory, as its statements do to the table. */
function apply(rows: AlertRow[], plan: AlertPlan, now: number): void {
  const rowsOf = (some: { id: number }[]) => rows.filter(({ id }) => some.some((other) => other.id === id));
  for (const condition of plan.raised)
    rows.push({ ...condition, id: rows.length + 1, createdAt: now, clearSince: null, resolvedAt: null, toldAt: null });
  for (const row of rowsOf(plan.seen)) row.clearSince = null;
  for (const row of rowsOf(plan.cleared)) row.clearSince = now;
  for (const row of rowsOf(plan.resolved)) row.resolvedAt = now;
  const told = [...plan.email.raised, ...plan.email.open, ...plan.email.resolved].map(nameOf);
  for (const row of rows)
    if (told.includes(nameOf(row)) && (row.resolvedAt === null || row.resolvedAt === now)) row.toldAt = now;
}

const knownAt = (rows: AlertRow[], now: number) =>
  rows
    .filter(({ resolvedAt, toldAt }) => resolvedAt === null || (toldAt ?? 0) > now - QUIET_MS)
    .map((row) => ({ ...row }));

const steps = fc.array(
  fc.record({ minutes: fc.constantFrom(5, 5, 5, 10, 30, 90, 1500), there: fc.subarray(CONDITIONS) }),
  { maxLength: 80 },
);

it("has one open alert per condition, however conditions come and go, and sends few e-mails", () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      const rows: AlertRow[] = [];
      /** The reference model: the time since which each open condition has been gone, or null while it is present. */
      const model = new Map<string, number | null>();
      const emails: { name: string; at: number; what: string }[] = [];
      const happened: string[] = [];
      let now = 1_000_000_000_000;
      for (const { minutes, there } of sequence) {
        now += minutes * MINUTE_MS;
        const plan = planAlerts(there, knownAt(rows, now), now);
        apply(rows, plan, now);
        happened.push(...plan.raised.map((one) => `${nameOf(one)} raised`));
        happened.push(...plan.resolved.map((one) => `${nameOf(one)} resolved`));
        for (const [what, told] of Object.entries(plan.email))
          emails.push(...told.map((one) => ({ name: nameOf(one), at: now, what })));

        for (const name of CONDITIONS.map(nameOf)) {
          if (there.some((one) => nameOf(one) === name)) model.set(name, null);
          else if (model.has(name)) {
            const goneSince = model.get(name) ?? now;
            if (goneSince <= now - CLEAR_MS) model.delete(name);
            else model.set(name, goneSince);
          }
        }
        const open = rows.filter(({ resolvedAt }) => resolvedAt === null).map(nameOf);
        expect(open.toSorted()).toEqual([...model.keys()].toSorted());
      }
      for (const name of CONDITIONS.map(nameOf)) {
        const list = happened.filter((what) => what.startsWith(name));
        expect(list).toEqual(list.map((_, at) => `${name} ${at % 2 === 0 ? "raised" : "resolved"}`));
      }
      for (const [at, one] of emails.entries()) {
        const before = emails
          .slice(0, at)
          .filter(({ name }) => name === one.name)
          .at(-1);
        if (one.what === "raised") expect(before?.at ?? 0).toBeLessThanOrEqual(one.at - QUIET_MS);
        if (one.what === "open") expect(before?.at ?? one.at).toBeLessThanOrEqual(one.at - REMIND_MS);
        if (one.what === "resolved") expect(["raised", "open"]).toContain(before?.what);
      }
    }),
  );
});

it("e-mails ongoing alerts an hour after the last e-mail, if an earlier alert held them back", () => {
  const [condition] = CONDITIONS;
  const rows: AlertRow[] = [];
  const told: [number, string][] = [];
  const isThere = (minute: number) => minute < 10 || minute >= 30;
  for (let minute = 0; minute <= 120; minute += 5) {
    const now = 1_000_000_000_000 + minute * MINUTE_MS;
    const plan = planAlerts(isThere(minute) && condition ? [condition] : [], knownAt(rows, now), now);
    apply(rows, plan, now);
    for (const [what, some] of Object.entries(plan.email)) if (some.length > 0) told.push([minute, what]);
  }
  expect(told).toEqual([
    [0, "raised"],
    [20, "resolved"],
    [80, "raised"],
  ]);
});
