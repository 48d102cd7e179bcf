import type { ImportSample } from "../../platform/db/schema.ts";
import type { RowFailure } from "../../platform/jobs/run-slice.ts";

/** Planned changes of records to the shop in its current state, with their errors. */
export type PlannedImport = {
  created: { line: number; state: { name: string } }[];
  changed: { line: number; state: { name: string }; after: Record<string, unknown> | null }[];
  unchanged: number;
  failed: number;
  failures: RowFailure[];
};

type Unreadable = { failures: RowFailure[] };

const isUnreadable = <Shape extends object>(shape: Shape | Unreadable): shape is Unreadable => "failures" in shape;

/** Plans the readable records, and adds the errors of the others. */
export async function planReadable<Shape extends object, Plan extends PlannedImport>(
  shapes: (Shape | Unreadable)[],
  plan: (readable: Shape[]) => Promise<Plan>,
): Promise<Plan> {
  const unreadable = shapes.filter(isUnreadable);
  const planned = await plan(shapes.filter((shape): shape is Shape => !isUnreadable(shape)));
  const failures = [...unreadable.flatMap((each) => each.failures), ...planned.failures];
  return { ...planned, failed: planned.failed + unreadable.length, failures };
}

/** Returns rows that would change something, for people to recognise. */
export const samplesOf = ({ created, changed }: PlannedImport): ImportSample[] => [
  ...created.map(({ line, state }) => ({ line, action: "create", name: state.name, changes: {} }) as const),
  ...changed.map(
    ({ line, state, after }) => ({ line, action: "update", name: state.name, changes: after ?? {} }) as const,
  ),
];
