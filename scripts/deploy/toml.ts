import { readFileSync } from "node:fs";
import { parse } from "smol-toml";
import type { Table } from "./environments.ts";

/** `wrangler.toml` as it is written. Loading wrangler to read it takes seconds. */
export const readToml = () => parse(readFileSync("wrangler.toml", "utf8")) as Table;
