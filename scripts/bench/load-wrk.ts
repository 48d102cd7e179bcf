import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { promisify } from "node:util";
import type { Loader } from "./load.ts";
import type { HttpRequest } from "./requests.ts";

const REQUESTS = ".bench/requests";
const SCRIPT = "scripts/bench/wrk.lua";

/** Uses one thread, so that all connections share one list. wrk only counts statuses from 400 on. */
export const loadWithWrk: Loader = async (url, requests, { status, seconds, connections }) => {
  const { host } = new URL(url);
  writeFileSync(REQUESTS, requests.map((request) => framed(asText(request, host))).join(""));
  const options = ["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "30s", "-s", SCRIPT, url];
  const { stdout } = await promisify(execFile)("wrk", [...options, "--", REQUESTS]);
  const { answers, refusals, errors, ...measured } = JSON.parse(stdout.slice(stdout.lastIndexOf("{")));
  return { ...measured, unexpected: errors + (status < 400 ? refusals : answers - refusals) };
};

/** A text preceded by a line with its length, because no delimiter is safe in a body. */
const framed = (text: string): string => `${Buffer.byteLength(text)}\n${text}`;

function asText({ method, path, headers, body = "" }: HttpRequest, host: string): string {
  const all = { Host: host, ...headers, ...(body && { "Content-Length": Buffer.byteLength(body) }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}
