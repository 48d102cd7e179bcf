import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { CREDENTIALS, type DemoAccess } from "./credentials.ts";

// `npm run mcp:conformance` runs the protocol's own test suite against both endpoints of the shop started by `npm
// start`. The suite is downloaded on demand, because it takes 50 MB and no other command needs it. docs/mcp.md names
// the scenarios that do not apply.

const SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12";

/** Scenarios by version of the protocol. */
const scenarios = {
  "2025-11-25": ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"],
  "2026-07-28": ["tools-list", "dns-rebinding-protection", "http-header-validation", "server-sse-multiple-streams"],
};

/** A scenario that calls a tool without arguments, which the Universal Commerce Protocol treats as an error. */
const NOT_OF_SHOPPING = "http-header-validation";

const { base_url, api_keys }: DemoAccess & { base_url: string } = JSON.parse(readFileSync(CREDENTIALS, "utf8"));
const shop = new URL(base_url);

// The suite sends no credentials, so this proxy adds a key to its requests.
const proxy = createServer((incoming, outgoing) => {
  const { url: path, method, headers } = incoming;
  const authorization = `Bearer ${api_keys.premium}`;
  const onward = request(
    { hostname: shop.hostname, port: shop.port, path, method, headers: { ...headers, authorization } },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    },
  );
  incoming.pipe(onward);
});
await new Promise<void>((resolve) => proxy.listen(0, "localhost", resolve));
const { port } = proxy.address() as AddressInfo;

for (const path of ["/mcp", "/mcp/admin"]) {
  for (const [version, names] of Object.entries(scenarios)) {
    for (const name of names) {
      if (path === "/mcp" && name === NOT_OF_SHOPPING) continue;
      const passed = await passes(`http://localhost:${port}${path}`, version, name);
      console.log(`${passed ? "passed" : "FAILED"}  ${path.padEnd(10)}  ${version}  ${name}`);
      if (!passed) process.exitCode = 1;
    }
  }
}
proxy.close();

/** Runs one scenario and prints its output if it fails. */
function passes(url: string, version: string, name: string): Promise<boolean> {
  const flags = ["server", "--url", url, "--spec-version", version, "--scenario", name];
  const child = spawn("npx", ["--yes", SUITE, ...flags], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const read = (chunk: Buffer) => {
    output += chunk;
  };
  child.stdout.on("data", read);
  child.stderr.on("data", read);
  return new Promise((resolve) => {
    child.once("close", (code) => {
      const passed = code === 0 && /Passed: ([1-9]\d*)\/\1, 0 failed/.test(output);
      if (!passed) console.error(output);
      resolve(passed);
    });
  });
}
