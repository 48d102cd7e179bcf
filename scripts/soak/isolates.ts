import { collect, inspect } from "./inspector.ts";

type Target = { id: string; webSocketDebuggerUrl: string };
type HeapUsage = { usedSize: number; embedderHeapUsedSize: number; backingStorageSize: number };

/** Bytes of the shop's isolate that survive a garbage collection. The runtime's inspector listens at `host`. */
export async function liveBytes(host: string): Promise<number> {
  const targets: Target[] = await (await fetch(`http://${host}/json`)).json();
  const shop = targets.find(({ id }) => id === "core:user:shop");
  if (!shop) throw new Error("The runtime does not run the shop");
  const session = await inspect(shop.webSocketDebuggerUrl);
  await collect(session);
  const heap = await session.call<HeapUsage>("Runtime.getHeapUsage");
  session.close();
  return heap.usedSize + heap.embedderHeapUsedSize + heap.backingStorageSize;
}
