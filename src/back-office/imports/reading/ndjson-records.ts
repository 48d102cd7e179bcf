import { MAX_ROW_CHARACTERS } from "../limits.ts";
import { BAD_BYTES, REPLACEMENT } from "./csv-rows.ts";
import { type ImportRecord, UnreadableFile } from "./record.ts";

/** Reads one object per line. */
export async function* ndjsonRecords(text: AsyncIterable<string>, hasBadBytes: boolean): AsyncGenerator<ImportRecord> {
  let rest = "";
  let line = 0;
  for await (const chunk of text) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MAX_ROW_CHARACTERS)
      throw new UnreadableFile({
        line: line + 1,
        code: "too_big",
        message: `is longer than ${MAX_ROW_CHARACTERS} characters`,
      });
    for (const each of lines) yield* recordOf(++line, each, hasBadBytes);
  }
  yield* recordOf(++line, rest, hasBadBytes);
}

function* recordOf(line: number, text: string, hasBadBytes: boolean): Generator<ImportRecord> {
  if (text.trim() === "") return;
  const fields = parsed(text);
  const isObject = typeof fields === "object" && fields !== null && !Array.isArray(fields);
  if (hasBadBytes && text.includes(REPLACEMENT))
    yield { line, ...(isObject && { fields: { ...fields } }), failures: [{ line, ...BAD_BYTES }] };
  else if (isObject) yield { line, fields: { ...fields } };
  else yield { line, failures: [{ line, code: "invalid_json", message: "is not a JSON object" }] };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
