import { collect, inspect } from "./inspector.ts";

type Target = { id: string; webSocketDebuggerUrl: string };
type HeapUsage = { usedSize: number; embedderHeapUsedSize: number; backingStorageSize: number };

/** Live bytes in the shop's isolate and in those that simulate the platform. */
export type Alive = { shop: number; others: number };

/**
 * Collects garbage in every isolate of the runtime whose inspector listens at `host`, and measures the remaining
 * memory.
 */
export async function measureAlive(host: string): Promise<Alive> {
  const targets: Target[] = await (await fetch(`http://${host}/json`)).json();
  const alive: Alive = { shop: 0, others: 0 };
  for (const { id, webSocketDebuggerUrl } of targets) {
    alive[id === "core:user:shop" ? "shop" : "others"] += await aliveIn(webSocketDebuggerUrl);
  }
  return alive;
}

async function aliveIn(address: string): Promise<number> {
  const session = await inspect(address);
  await collect(session);
  const heap = await session.call<HeapUsage>("Runtime.getHeapUsage");
  session.close();
  return heap.usedSize + heap.embedderHeapUsedSize + heap.backingStorageSize;
}
