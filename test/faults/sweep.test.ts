import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { app } from "../../src/app.ts";
import { callWith } from "../support/call.ts";
import { brokenInvariants } from "../support/invariants.ts";
import { LONG } from "../support/long.ts";
import { aRefusal } from "../support/refusal.ts";
import { type Storage, watched } from "../support/watched.ts";
import { scenarios } from "./scenarios.ts";

/** Ways a call fails: it never arrives, or it does its work and the answer is lost. */
const losses = ["before it was done", "after it was done"] as const;

/** Bindings whose `at`-th call fails, and a list of the calls that were made. */
function failingAt(at: number, loss: (typeof losses)[number]) {
  const calls: { storage: Storage; reads: boolean }[] = [];
  const bindings = watched<Env>(env, async (storage, call, reads) => {
    calls.push({ storage, reads });
    if (calls.length !== at) return call();
    if (loss === "after it was done") await call();
    throw new Error(storage === "d1" ? "D1_ERROR: Network connection lost." : "Network connection lost.");
  });
  return { bindings, calls };
}

/** Pages and the protocols of agents have faults of their own: test/panel/, test/ucp/. */
const routes = new Set(
  (await app.routes())
    .filter(({ method, path }) => method !== "ALL" && !/^\/(admin|account|ucp|mcp|\.well-known\/ucp)(\/|$)/.test(path))
    .map(({ method, path }) => `${method} ${path}`),
);

it("has a scenario for every route", () => {
  expect(new Set(Object.keys(scenarios))).toEqual(routes);
});

describe.each(Object.entries(scenarios))("%s", (line, prepare) => {
  it("answers an envelope and leaves nothing half done, whichever call fails", LONG, async () => {
    const whole = failingAt(0, "before it was done");
    const good = await run(prepare, whole.bindings);
    expect(good.status).toBeLessThan(400);
    for (const [index, { storage, reads }] of whole.calls.entries()) {
      for (const loss of reads ? losses.slice(0, 1) : losses) {
        const { status, headers, body } = await run(prepare, failingAt(index + 1, loss).bindings);
        const seen = { call: `${index + 1} of ${whole.calls.length}, ${storage}`, loss, status };
        // A limiter that cannot answer lets the request pass uncounted: that is its policy.
        if (storage === "durableObjects" && status < 400) continue;
        // The health of the shop is read most when something is out of reach, and says so of the backups.
        if (storage === "r2" && line === "GET /api/v1/admin/health" && status < 400) continue;
        expect([500, 503], JSON.stringify(seen)).toContain(status);
        expect(body).toEqual(aRefusal("service_unavailable"));
        if (status === 503) expect(headers.get("Retry-After")).toBeTruthy();
      }
    }
    expect(await brokenInvariants()).toEqual({});
  });
});

async function run(prepare: (typeof scenarios)[string], bindings: Partial<Env>) {
  const { line, bindings: secrets, ...options } = await prepare();
  return callWith({ ...bindings, ...secrets }, line, options);
}
