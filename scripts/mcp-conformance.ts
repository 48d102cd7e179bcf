import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { CREDENTIALS, type DemoAccess } from "./credentials.ts";
import { listen } from "./listen.ts";

// `npm run mcp:conformance` runs the protocol's own test suite against both endpoints of the shop started by `npm
// start`. The suite is downloaded on demand, because it takes 50 MB and no other command needs it.

const SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12";
const VERSIONS = ["2025-06-18", "2025-11-25", "2026-07-28"];

/** Scenarios, and checks of scenarios, that do not apply. Any other that fails is reported, and any of these that passes. */
const notApplicable = [
  // The suite's example tools, whose results it knows.
  ...[
    "simple-text",
    "image",
    "audio",
    "embedded-resource",
    "mixed-content",
    "with-logging",
    "error",
    "with-progress",
  ].map((name) => `tools-call-${name}`),
  ...["tools-call-sampling", "tools-call-elicitation", "elicitation-sep1034-defaults", "elicitation-sep1330-enums"],
  ...["json-schema-2020-12", "http-custom-header-server-validation"],
  ...[
    "basic-elicitation",
    "basic-sampling",
    "basic-list-roots",
    "request-state",
    "multiple-input-requests",
    "multi-round",
  ]
    .concat("non-tool-request", "result-type", "tampered-state", "capability-check")
    .concat("missing-input-response", "ignore-extra-params")
    .map((name) => `input-required-result-${name}`),
  "server-stateless:sep-2575-http-server-no-independent-requests-on-stream",
  "server-stateless:sep-2575-missing-capability-http-400",
  "server-stateless:sep-2575-server-no-log-without-loglevel",
  "server-stateless:sep-2575-server-rejects-undeclared-capability",
  // The shop offers only tools.
  ...["logging-set-level", "completion-complete", "sep-2164-resource-not-found"],
  ...["list", "read-text", "read-binary", "subscribe", "unsubscribe"].map((name) => `resources-${name}`),
  ...["resources-templates-read", "prompts-list"],
  ...["simple", "with-args", "embedded-resource", "with-image"].map((name) => `prompts-get-${name}`),
  ...["prompts-list", "resources-list", "resources-templates-list"].map(
    (name) => `caching:sep-2549-${name}-caching-hints`,
  ),
  // There are no sessions.
  ...["server-sse-polling", "server-sse-multiple-streams:server-sse-multiple-streams-session"],
];

/** A tool is called without arguments, and each of the Universal Commerce Protocol takes some. */
const notOfShopping = ["http-header-validation:sep-2243-server-accepts-whitespace-header-value"];

const { base_url, api_keys }: DemoAccess & { base_url: string } = JSON.parse(readFileSync(CREDENTIALS, "utf8"));
const shop = new URL(base_url);

// The suite sends no credentials, and its requests exceed the limit of an address but give up sooner than they could wait
// for it. So this proxy sends each with a credential and from its own address.
let addresses = 0;
const proxy = await listen(async (incoming, outgoing) => {
  const answer = await send(incoming, await buffer(incoming));
  outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
  answer.pipe(outgoing);
}, "localhost");

const folder = mkdtempSync(join(tmpdir(), "conformance-"));
for (const [path, failures] of [
  ["/mcp", [...notApplicable, ...notOfShopping]],
  ["/mcp/admin", notApplicable],
] as const) {
  // JSON is YAML, which the suite reads.
  const expected = join(folder, "expected-failures.yml");
  writeFileSync(expected, JSON.stringify({ server: failures }));
  for (const version of VERSIONS) {
    const { code, output } = await runSuite(proxy.url + path, version, expected);
    if (code !== 0) console.error(output);
    const scenarios = output.match(/^✓ /gm)?.length ?? 0;
    const [, checks] = /^Total: (.*)$/m.exec(output) ?? [];
    const verdict = code === 0 ? "as expected" : "UNEXPECTED";
    console.log(`${verdict}  ${path.padEnd(10)}  ${version}  ${scenarios} scenarios passed; checks: ${checks}`);
    if (code !== 0) process.exitCode = 1;
  }
}
proxy.close();

function send({ url: path, method, headers }: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
  const added = {
    authorization: `Bearer ${api_keys.premium}`,
    "cf-connecting-ip": `2001:db8:${(++addresses).toString(16)}::1`,
  };
  const onward = { hostname: shop.hostname, port: shop.port, path, method, headers: { ...headers, ...added } };
  return new Promise((resolve, reject) => request(onward, resolve).on("error", reject).end(body));
}

async function runSuite(url: string, version: string, expected: string) {
  const flags = ["--url", url, "--suite", "all", "--spec-version", version, "--expected-failures", expected];
  const child = spawn("npx", ["--yes", SUITE, "server", ...flags], { stdio: ["ignore", "pipe", "inherit"] });
  const [output, [code]] = await Promise.all([buffer(child.stdout), once(child, "close")]);
  return { code, output: output.toString() };
}
