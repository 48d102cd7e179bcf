import { env } from "cloudflare:workers";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { app } from "../../src/app.ts";
import { anAdmin } from "../support/administration.ts";
import { type Answer, callWith } from "../support/call.ts";
import { QUERY_LIMIT } from "../support/counting.ts";
import { brokenInvariants } from "../support/invariants.ts";
import { LONG } from "../support/long.ts";
import { aRefusal } from "../support/refusal.ts";
import { type Storage, watched } from "../support/watched.ts";
import { oauthScenarios } from "./oauth-scenarios.ts";
import { type Prepared, scenarios } from "./scenarios.ts";

/** A call fails either before it arrives, or after it did its work and before its response arrives. */
type Loss = "before it was done" | "after it was done";

/** The calls to fail one by one: calls to limiters, which remember a caller after the first request, or all others. */
type Kind = "limiters" | "stores";

/** In place of the number of a call: each of them fails. */
const EVERY = "every call";

/**
 * Bindings whose `at`-th call of a kind fails, the list of these calls, whether any call may have written something, and the
 * number of queries.
 */
function failingAt(at: number | typeof EVERY, loss: Loss, kind: Kind) {
  const calls: { storage: Storage; reads: boolean }[] = [];
  let hasWritten = false;
  let queries = 0;
  const bindings = watched<Env>(env, async (storage, call, reads, statements) => {
    queries += statements;
    const isOfKind = (storage === "durableObjects" && reads) === (kind === "limiters");
    if (isOfKind) calls.push({ storage, reads });
    const fails = isOfKind && (at === EVERY || calls.length === at);
    const isDone = !fails || loss === "after it was done";
    hasWritten ||= isDone && !reads;
    if (!fails) return call();
    if (isDone) await call();
    throw new Error(storage === "d1" ? "D1_ERROR: Network connection lost." : "Network connection lost.");
  });
  return { bindings, calls, hasWritten: () => hasWritten, queries: () => queries };
}

/** Pages and agent protocols have forms of their own. Their tests are in test/panel/ and test/ucp/. */
const routes = new Set(
  (await app.routes())
    .filter(
      ({ method, path }) =>
        method !== "ALL" && !/^\/(admin|account|ucp|mcp|oauth\/authorize|\.well-known\/ucp)(\/|$)/.test(path),
    )
    .map(({ method, path }) => `${method} ${path}`),
);

const all = { ...scenarios, ...oauthScenarios };

it("has a scenario for every route", () => {
  expect(new Set(Object.keys(all).map((name) => name.replace(/: .*/, "")))).toEqual(routes);
});

/** OAuth has errors in the form of RFC 6749, everything else in the envelope. */
const faultOf = (line: string) =>
  line.startsWith("POST /oauth/")
    ? { error: "server_error", error_description: expect.any(String) }
    : aRefusal("service_unavailable");

// Endpoints that remained would receive the events of later scenarios.
afterEach(() => env.DB.prepare("DELETE FROM webhook_endpoints").run());

// A rule that one scenario broke stays broken, so all are checked together.
afterAll(async () => expect(await brokenInvariants()).toEqual({}));

describe.each(Object.entries(all))("%s", (line, prepare) => {
  it("answers in its form and leaves nothing half done, whichever call fails", LONG, async () => {
    let prepared: Prepared | null = null;
    let runs = 0;
    // A run that only read leaves its fixtures to the next run. Wrong passwords are limited to five.
    const reuses = line.startsWith("GET ") ? Number.POSITIVE_INFINITY : 4;
    const run = async (at: number | typeof EVERY, loss: Loss, kind: Kind) => {
      // Limiters are tested with a caller that they have not seen.
      prepared ??= await (kind === "limiters" ? prepare() : prepare(anAdmin));
      const { line: request, bindings: secrets, ...options } = prepared;
      const { bindings, calls, hasWritten, queries } = failingAt(at, loss, kind);
      const answer = await callWith({ ...bindings, ...secrets }, request, options);
      if (hasWritten() || ++runs % reuses === 0) prepared = null;
      return { answer, calls, queries: queries() };
    };
    const expectFault = ({ status, headers, body }: Answer, storage: Storage, seen: object) => {
      // If a limiter fails, the request is admitted uncounted: that is the policy.
      if (storage === "durableObjects" && status < 400) return;
      // The health page must work when a service is down, and it reports missing backups.
      if (storage === "r2" && line === "GET /api/v1/admin/health" && status < 400) return;
      // A resized image is shown although it could not be stored for the next request.
      if (storage === "r2" && line === "GET /images/:name" && status < 400) return;
      expect([500, 503], JSON.stringify({ ...seen, status })).toContain(status);
      expect(body).toEqual(faultOf(line));
      if (status === 503) expect(headers.get("Retry-After")).toBeTruthy();
    };
    // A request that is admitted without any limiter needs none of them. Otherwise they fail one by one.
    const { answer: uncounted } = await run(EVERY, "before it was done", "limiters");
    expectFault(uncounted, "durableObjects", { call: EVERY });
    for (const kind of uncounted.status < 400 ? (["stores"] as const) : (["limiters", "stores"] as const)) {
      // The last run, in which no call is left to fail, shows how many calls a request makes.
      for (let at = 1; ; at++) {
        const { answer, calls, queries } = await run(at, "before it was done", kind);
        const failed = calls[at - 1];
        if (!failed) {
          expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(400);
          expect(queries).toBeLessThanOrEqual(QUERY_LIMIT);
          break;
        }
        const seen = { call: at, storage: failed.storage };
        expectFault(answer, failed.storage, seen);
        if (failed.reads) continue;
        const { answer: unheard, calls: made } = await run(at, "after it was done", kind);
        // An isolate that remembers the rules of pricing makes fewer calls than before.
        if (made.length >= at) expectFault(unheard, failed.storage, { ...seen, loss: "after it was done" });
      }
    }
  });
});
