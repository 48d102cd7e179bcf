import { collect, inspect } from "../../../scripts/soak/inspector.ts";
import { residentBytes } from "../../../scripts/soak/resident.ts";
import { runtimeOf } from "./runtime.ts";

type HeapUsage = { usedSize: number; embedderHeapUsedSize: number; backingStorageSize: number };

const COLLECT_ABOVE = 40_000_000;

/** Bytes: what the Worker had at most, and by how much the runtime's process grew, its simulated D1 and R2 included. */
export type Peak = { worker: number; process: number };

/** Measures the memory of the Worker that a shop runs. */
export async function memoryOf({ group }: { group: number }) {
  const { pid, inspector } = await runtimeOf(group, "storefront");
  const session = await inspect(inspector);

  async function used(): Promise<number> {
    const heap = await session.call<HeapUsage>("Runtime.getHeapUsage");
    return heap.usedSize + heap.embedderHeapUsedSize + heap.backingStorageSize;
  }

  return {
    run: session.run,
    close: session.close,
    /** The peak while something is done. Garbage counts, but is not let to pile up: the Worker need not hold it. */
    peakDuring: async (act: () => Promise<unknown>): Promise<Peak> => {
      await collect(session);
      const before = residentBytes(pid);
      const peak = { worker: 0, process: 0 };
      let done = false;
      const acting = act().finally(() => {
        done = true;
      });
      // Should it fail before anybody waits for it: that is told below.
      acting.catch(() => {});
      do {
        const now = await used();
        peak.worker = Math.max(peak.worker, now);
        if (now > COLLECT_ABOVE) await collect(session);
        peak.process = Math.max(peak.process, residentBytes(pid) - before);
      } while (!done);
      await acting;
      return peak;
    },
  };
}
