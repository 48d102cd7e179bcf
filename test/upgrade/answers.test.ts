import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, describe, expect, it, vi } from "vitest";
import { masked } from "../../scripts/openapi/examples/mask.ts";
import type { RecordedAnswer, ShopFixture } from "../../scripts/release/fixtures.ts";
import { callWith, ORIGIN } from "../support/call.ts";
import { LONG } from "../support/long.ts";
import { contentOf, differences } from "./differences.ts";
import { everyGet } from "./requests.ts";

declare global {
  namespace Cloudflare {
    interface Env {
      /** test/upgrade/serve.ts */
      FIXTURES: Fetcher;
    }
  }
}

type Served = Omit<ShopFixture, "dump"> & { statements: string[]; answers: RecordedAnswer[] | null };

const ADDRESS = "https://fixtures.test";
const versions: string[] = await (await env.FIXTURES.fetch(ADDRESS)).json();

const UUID = /"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"/g;

/** A response without random parts: signed links and ids of requests. */
const withoutRandom = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(masked(body, ORIGIN)).replaceAll(UUID, '"…"'));

/**
 * Time between two requests. It stays below every rate limit, and sends the last request before the shop's tokens
 * expire.
 */
const STEP_MS = 500;

afterAll(() => {
  vi.useRealTimers();
});

it("names fields that a response lost and allows new ones", () => {
  const before = { id: 1, price: 5, tags: ["new"], address: { city: "Bristol" } };
  expect(differences(before, { ...before, color: "red", address: { city: "Bristol", zip: null } })).toEqual([]);
  expect(differences(before, { id: 1, price: 6, tags: [], address: {} })).toEqual([
    "price was 5 and is 6",
    "tags had 1 items and has 0",
    'address.city was "Bristol" and is absent',
  ]);
  const exports = ["sku,name\nA,Mug", "sku,color,name\nA,red,Mug", "sku\nA"].map((text) => contentOf(text, "text/csv"));
  expect(differences(exports[0], exports[1])).toEqual([]);
  expect(differences(exports[0], exports[2])).toEqual(['first[0].name was "Mug" and is absent']);
});

describe.each(versions)("a shop of %s", LONG, (version) => {
  it("answers every GET as before", async () => {
    const served = await env.FIXTURES.fetch(`${ADDRESS}/${version}`);
    const { statements, answers, secrets, callers, closedAt }: Served = await served.json();
    // `reset` only empties active databases.
    await env.DB.prepare("SELECT 1").run();
    await reset();
    const deferred = ["PRAGMA defer_foreign_keys = ON", ...statements];
    await env.DB.batch(deferred.map((statement) => env.DB.prepare(statement)));

    let asked = 0;
    const ask = async (caller: string, line: string) => {
      vi.useFakeTimers({ toFake: ["Date"], now: closedAt + ++asked * STEP_MS });
      // The addresses are the same each time, because the audit log records them.
      const headers = { ...callers[caller], "CF-Connecting-IP": `2001:db8:${asked.toString(16)}::1` };
      return callWith({ ...secrets, PUBLIC_CATALOG: "true" }, line, { headers });
    };
    const answerOf = async (caller: string, line: string): Promise<RecordedAnswer> => {
      const { status, headers, body } = await ask(caller, line);
      const answer = { caller, line, status };
      if (status >= 300) return answer;
      return { ...answer, body: withoutRandom(contentOf(body, headers.get("Content-Type") ?? "")) };
    };

    if (answers === null) {
      const recorded: RecordedAnswer[] = [];
      const lines = await everyGet(ask);
      asked = 0;
      for (const line of lines) {
        for (const caller of Object.keys(callers)) recorded.push(await answerOf(caller, line));
      }
      await env.FIXTURES.fetch(`${ADDRESS}/${version}`, { method: "PUT", body: JSON.stringify(recorded) });
      return;
    }
    const changes: string[] = [];
    // A migration changes the size of the database, notifications of agents no longer wait in a queue, variants also inherit
    // their condition, and no item of a cart requires an account.
    const isChange = (change: string) =>
      !/^body\.(data(\.database\.size_bytes was|\.queues had|\[\d+\]\.inherits had|\.items\[\d+\]\.requires_account was)) /.test(
        change,
      );
    for (const before of answers) {
      const after = await answerOf(before.caller, before.line);
      changes.push(
        ...differences(before, after)
          .filter(isChange)
          .map((change) => `${before.line} as ${before.caller}: ${change}`),
      );
    }
    expect(changes).toEqual([]);
  });
});
