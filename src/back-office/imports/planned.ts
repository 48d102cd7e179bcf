import type { ImportSample } from "../../platform/db/schema.ts";
import type { JobFailure } from "../../platform/jobs/kind.ts";

/** What some records would do to the shop as it is, and what is wrong with them. */
export type Planned = {
  created: { line: number; state: { name: string } }[];
  changed: { line: number; state: { name: string }; after: Record<string, unknown> | null }[];
  unchanged: number;
  failed: number;
  failures: JobFailure[];
};

/** A record that cannot be read, and why. */
export type Unreadable = { failures: JobFailure[] };

const isUnreadable = <Shape extends object>(shape: Shape | Unreadable): shape is Unreadable => "failures" in shape;

/** Plans the records that can be read, and adds what is wrong with the others. */
export async function planReadable<Shape extends object, Plan extends Planned>(
  shapes: (Shape | Unreadable)[],
  plan: (readable: Shape[]) => Promise<Plan>,
): Promise<Plan> {
  const unreadable = shapes.filter(isUnreadable);
  const planned = await plan(shapes.filter((shape): shape is Shape => !isUnreadable(shape)));
  const failures = [...unreadable.flatMap((each) => each.failures), ...planned.failures];
  return { ...planned, failed: planned.failed + unreadable.length, failures };
}

/** The rows that would change something, for a reader to recognise. */
export const samplesOf = ({ created, changed }: Planned): ImportSample[] => [
  ...created.map(({ line, state }) => ({ line, action: "create", name: state.name, changes: {} }) as const),
  ...changed.map(
    ({ line, state, after }) => ({ line, action: "update", name: state.name, changes: after ?? {} }) as const,
  ),
];
