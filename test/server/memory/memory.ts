import { inspect } from "../../../scripts/soak/inspector.ts";
import { inspectorOf } from "./runtime.ts";

type HeapUsage = { usedSize: number; embedderHeapUsedSize: number; backingStorageSize: number };

const COLLECT_ABOVE = 40_000_000;

/** Measures the memory of the Worker that a shop runs. */
export async function memoryOf({ group }: { group: number }) {
  const inspector = await inspectorOf(group, "storefront");
  const session = await inspect(inspector);

  async function used(): Promise<number> {
    const heap = await session.call<HeapUsage>("Runtime.getHeapUsage");
    return heap.usedSize + heap.embedderHeapUsedSize + heap.backingStorageSize;
  }

  /**
   * Collects garbage by `gc()`, which test/server/setup.ts enables. A heap snapshot would also collect it, but takes
   * seconds.
   */
  const collect = () => session.run("gc()");

  return {
    run: session.run,
    close: session.close,
    /**
     * The maximum memory of the Worker, in bytes, while `act` runs. Garbage is collected repeatedly, because the Worker
     * need not retain it.
     */
    peakDuring: async (act: () => Promise<unknown>): Promise<number> => {
      await collect();
      let peak = 0;
      let done = false;
      const acting = act().finally(() => {
        done = true;
      });
      // Prevents an unhandled rejection. The error is thrown below.
      acting.catch(() => {});
      do {
        const now = await used();
        peak = Math.max(peak, now);
        if (now > COLLECT_ABOVE) await collect();
      } while (!done);
      await acting;
      return peak;
    },
  };
}
