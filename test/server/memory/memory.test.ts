import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { memoryOf } from "./memory.ts";

const MB = 1_000_000;

let memory: Awaited<ReturnType<typeof memoryOf>>;

beforeAll(async () => {
  memory = await memoryOf(inject("shop"));
});
afterAll(() => memory.close());

it("sees what the Worker holds, and that it has let go of it", async () => {
  const holding = await memory.peakDuring(() => memory.run("globalThis.held = new Uint8Array(90e6).fill(1)"));
  expect(holding.worker).toBeGreaterThan(90 * MB);
  expect(holding.process).toBeGreaterThan(64 * MB);
  await memory.run("delete globalThis.held");
  const after = await memory.peakDuring(() => fetch(inject("shop").base_url));
  expect(after.worker).toBeLessThan(64 * MB);
});
