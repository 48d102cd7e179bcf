import { connect } from "node:net";
import { text } from "node:stream/consumers";
import type { Command, Outcome } from "./wrangler.ts";

// Replaces the command `wrangler`: sends its command line to the resident wrangler.

const [, , socket = "", ...args] = process.argv;
const connection = connect(socket);
connection.end(JSON.stringify({ args, cwd: process.cwd(), env: process.env } satisfies Command));
const { code, stdout, stderr }: Outcome = JSON.parse(await text(connection));
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = code;
