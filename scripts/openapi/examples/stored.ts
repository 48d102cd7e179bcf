import { readFileSync } from "node:fs";
import type { RecordedExchange } from "./add.ts";

/** File of the recorded examples. */
export const EXAMPLES = "scripts/openapi/examples.json";

export const storedExamples = (): RecordedExchange => JSON.parse(readFileSync(EXAMPLES, "utf8"));
