import { inspect } from "./inspector.ts";
import { residentBytes, runtimeOf } from "./runtime.ts";

type HeapUsage = { usedSize: number; embedderHeapUsedSize: number; backingStorageSize: number };

/** Bytes: what the Worker had at most, and by how much the runtime's process grew, its simulated D1 and R2 included. */
export type Peak = { worker: number; process: number };

/** Measures the memory of the Worker that a shop runs. */
export async function memoryOf({ group }: { group: number }) {
  const { pid, inspector } = await runtimeOf(group, "storefront");
  const { call, run, close } = await inspect(inspector);

  async function used(): Promise<number> {
    const heap = await call<HeapUsage>("Runtime.getHeapUsage");
    return heap.usedSize + heap.embedderHeapUsedSize + heap.backingStorageSize;
  }

  return {
    run,
    close,
    /** The peak while something is done. Garbage counts, but for what was there before: that is collected first. */
    peakDuring: async (act: () => Promise<unknown>): Promise<Peak> => {
      // A snapshot of the heap begins with a full collection, and the inspector offers it in no other way.
      await call("HeapProfiler.takeHeapSnapshot");
      const before = residentBytes(pid);
      const peak = { worker: 0, process: 0 };
      let done = false;
      const acting = act().finally(() => {
        done = true;
      });
      // Should it fail before anybody waits for it: that is told below.
      acting.catch(() => {});
      do {
        peak.worker = Math.max(peak.worker, await used());
        peak.process = Math.max(peak.process, residentBytes(pid) - before);
      } while (!done);
      await acting;
      return peak;
    },
  };
}
