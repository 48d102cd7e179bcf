import { readFileSync } from "node:fs";
import type { Recorded } from "./add.ts";

/** File of the recorded examples. */
export const EXAMPLES = "scripts/openapi/examples.json";

export const storedExamples = (): Recorded => JSON.parse(readFileSync(EXAMPLES, "utf8"));
