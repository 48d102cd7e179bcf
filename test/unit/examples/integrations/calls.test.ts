import { execFile } from "node:child_process";
import type { ServerResponse } from "node:http";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { listen } from "../../../../scripts/listen.ts";
import { runnable } from "../../../support/programs.ts";

const run = promisify(execFile);
const folder = "examples/integrations";

/** Code that sends a POST and prints the body of the response. */
const calls: Record<string, string[]> = {
  python: [
    "-c",
    `import json, sys; sys.path.insert(0, "${folder}/python"); from shop import call
print(json.dumps(call("POST", "/", {})[0]))`,
  ],
  php: ["-r", `require "${folder}/php/shop.php"; echo json_encode(call("POST", "/", [])[0]);`],
};

const answers =
  (status: number, body: object = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));

const passing = {
  "an internal error": answers(500),
  "a page of a proxy": (response: ServerResponse) => response.writeHead(502).end("<html>"),
  "a 503 without Retry-After": answers(503),
  "a lost connection": (response: ServerResponse) => response.destroy(),
  "a response that is cut off": (response: ServerResponse) => {
    response.writeHead(200, { "Content-Length": "100" }).write("{");
    setImmediate(() => response.destroy());
  },
  "a request that is still running": answers(409, { code: "idempotency_key_in_use" }),
  "a change at the same time": answers(409, { code: "changed_meanwhile" }),
};

const lasting = {
  "a refusal": answers(400),
  "another request under its key": answers(409, { code: "idempotency_key_reused" }),
};

const languages = runnable.filter(({ language }) => language in calls);

/** Answers the first request by `first`, and others with 200. */
async function called({ language, command }: (typeof languages)[number], first: (response: ServerResponse) => unknown) {
  const keys: unknown[] = [];
  const { url, close } = await listen((request, response) => {
    const isFirst = keys.push(request.headers["idempotency-key"]) === 1;
    (isFirst ? first : answers(200, { data: 1 }))(response);
  });
  const env = { ...process.env, SHOP: url, KEY: "key" };
  const { stdout } = await run(command, calls[language] ?? [], { env }).catch(() => ({ stdout: "" }));
  await close();
  return { stdout: stdout.replaceAll(/\s/g, ""), keys };
}

it.each(languages)("repeats a request in $language that may succeed later, under one key", async (by) => {
  const sent = await Promise.all(Object.values(passing).map((first) => called(by, first)));
  for (const [n, says] of Object.keys(passing).entries()) {
    expect([says, sent[n]?.stdout, sent[n]?.keys.length]).toEqual([says, '{"data":1}', 2]);
    expect(new Set(sent[n]?.keys)).toEqual(new Set([expect.any(String)]));
  }
});

it.each(languages)("throws what is refused in $language", async (by) => {
  for (const [says, first] of Object.entries(lasting)) {
    const { stdout, keys } = await called(by, first);
    expect([says, stdout, keys.length]).toEqual([says, "", 1]);
  }
});
