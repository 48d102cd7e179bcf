import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import { app } from "../../src/app.ts";
import { type Answer, callWith } from "../support/call.ts";
import { shared } from "../support/callers.ts";
import { brokenInvariants } from "../support/invariants.ts";
import { LONG } from "../support/long.ts";
import { aRefusal } from "../support/refusal.ts";
import { aUser } from "../support/shop.ts";
import { type Storage, watched } from "../support/watched.ts";
import { type Prepared, scenarios } from "./scenarios.ts";

/** Ways a call fails: it never arrives, or it does its work and the answer is lost. */
type Loss = "before it was done" | "after it was done";

/** The calls that fail in turn: those to limiters, which know a caller after the first request, or all others. */
type Kind = "limiters" | "stores";

/** Bindings whose `at`-th call of a kind fails, a list of the calls of it, and whether any call may have left something behind. */
function failingAt(at: number, loss: Loss, kind: Kind) {
  const calls: { storage: Storage; reads: boolean }[] = [];
  let hasWritten = false;
  const bindings = watched<Env>(env, async (storage, call, reads) => {
    const isOfKind = (storage === "durableObjects" && reads) === (kind === "limiters");
    if (isOfKind) calls.push({ storage, reads });
    const fails = isOfKind && calls.length === at;
    const isDone = !fails || loss === "after it was done";
    hasWritten ||= isDone && !reads;
    if (!fails) return call();
    if (isDone) await call();
    throw new Error(storage === "d1" ? "D1_ERROR: Network connection lost." : "Network connection lost.");
  });
  return { bindings, calls, hasWritten: () => hasWritten };
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

// Endpoints that stay would be told of every event of the scenarios that follow.
afterEach(() => env.DB.prepare("DELETE FROM webhook_endpoints").run());

const anAdmin = shared(() => aUser({ role: "admin" }));

describe.each(Object.entries(scenarios))("%s", (line, prepare) => {
  it("answers an envelope and leaves nothing half done, whichever call fails", LONG, async () => {
    let prepared: Prepared | null = null;
    let runs = 0;
    // What a run only read from stands as it was prepared, for the next run. Wrong passwords have a limit of five.
    const run = async (at: number, loss: Loss, kind: Kind) => {
      // Limiters are asked about a caller whom they do not know.
      prepared ??= await (kind === "limiters" ? prepare() : prepare(anAdmin));
      const { line: request, bindings: secrets, ...options } = prepared;
      const { bindings, calls, hasWritten } = failingAt(at, loss, kind);
      const answer = await callWith({ ...bindings, ...secrets }, request, options);
      if (hasWritten() || ++runs % 4 === 0) prepared = null;
      return { answer, calls };
    };
    const expectFault = ({ status, headers, body }: Answer, storage: Storage, seen: object) => {
      // A limiter that cannot answer lets the request pass uncounted: that is its policy.
      if (storage === "durableObjects" && status < 400) return;
      // The health of the shop is read most when something is out of reach, and says so of the backups.
      if (storage === "r2" && line === "GET /api/v1/admin/health" && status < 400) return;
      expect([500, 503], JSON.stringify({ ...seen, status })).toContain(status);
      expect(body).toEqual(aRefusal("service_unavailable"));
      if (status === 503) expect(headers.get("Retry-After")).toBeTruthy();
    };
    for (const kind of ["limiters", "stores"] as const) {
      // The calls of a request are counted by the run in which none is left to fail.
      for (let at = 1; ; at++) {
        const { answer, calls } = await run(at, "before it was done", kind);
        const failed = calls[at - 1];
        if (!failed) {
          expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(400);
          break;
        }
        const seen = { call: at, storage: failed.storage };
        expectFault(answer, failed.storage, seen);
        if (failed.reads) continue;
        const { answer: unheard } = await run(at, "after it was done", kind);
        expectFault(unheard, failed.storage, { ...seen, loss: "after it was done" });
      }
    }
    expect(await brokenInvariants()).toEqual({});
  });
});
