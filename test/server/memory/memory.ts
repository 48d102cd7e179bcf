import { setTimeout } from "node:timers/promises";
import { inspect } from "../../../scripts/soak/inspector.ts";
import { inspectorOf } from "./runtime.ts";

type HeapUsage = { usedSize: number; embedderHeapUsedSize: number; backingStorageSize: number };

const COLLECT_ABOVE = 40_000_000;

/** Measuring stops the Worker, and twenty times a second finds anything that is held for an upload. */
const INTERVAL_MS = 50;

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

  async function live(): Promise<number> {
    const now = await used();
    if (now <= COLLECT_ABOVE) return now;
    await collect();
    return used();
  }

  return {
    run: session.run,
    close: session.close,
    /**
     * The maximum memory of the Worker, in bytes, while `act` runs. Garbage does not count, because the Worker need not
     * retain it.
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
      for (;;) {
        peak = Math.max(peak, await live());
        if (done) break;
        await setTimeout(INTERVAL_MS);
      }
      await acting;
      return peak;
    },
  };
}
