import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { LONG } from "../../support/long.ts";
import { memoryOf } from "./memory.ts";

const MB = 1_000_000;

const { base_url, api_keys } = inject("shop");
let memory: Awaited<ReturnType<typeof memoryOf>>;

beforeAll(async () => {
  memory = await memoryOf(inject("shop"));
});
afterAll(() => memory.close());

it("takes an upload of 90 MB with less than 64 MB of memory", LONG, async () => {
  const bytes = randomBytes(90 * MB);
  const body = new FormData();
  body.set("access", "package");
  body.set("sha256", createHash("sha256").update(bytes).digest("hex"));
  body.set("file", new Blob([bytes]), "recording.bin");
  const headers = { Authorization: `Bearer ${api_keys.premium}` };
  const peak = await memory.peakDuring(async () => {
    const { status } = await fetch(`${base_url}/api/v1/admin/files`, { method: "POST", headers, body });
    expect(status).toBe(201);
  });
  expect(peak).toBeLessThan(64 * MB);
});

it("would have noticed 90 MB in memory", async () => {
  const peak = await memory.peakDuring(() => memory.run("globalThis.held = new Uint8Array(90e6).fill(1)"));
  await memory.run("delete globalThis.held");
  expect(peak).toBeGreaterThan(90 * MB);
});
