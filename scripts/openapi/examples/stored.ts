import { readFileSync } from "node:fs";
import type { Recorded } from "./add.ts";

/** Where the recorded examples are kept. */
export const EXAMPLES = "scripts/openapi/examples.json";

export const storedExamples = (): Recorded => JSON.parse(readFileSync(EXAMPLES, "utf8"));
