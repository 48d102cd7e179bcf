import { type ImportEncoding, importEncodings } from "../../../platform/db/schema.ts";
import { isUnicode } from "./text.ts";

const candidates = importEncodings.filter((encoding) => !isUnicode(encoding));

/** Names that the detector gives to encodings which browsers read under another name. */
const browserNames: Readonly<Record<string, ImportEncoding>> = {
  macroman: "macintosh",
  cp932: "shift_jis",
  cp949: "euc-kr",
};

/** Bytes from which an encoding is guessed. They hold hundreds of names. */
const SAMPLE_BYTES = 16 * 1024;

/** Guesses the encoding of a file that is not entirely UTF-8. */
export async function guessEncoding(bytes: AsyncIterable<Uint8Array>): Promise<ImportEncoding> {
  const sample = await sampleOf(bytes);
  if (isMostlyUtf8(sample)) return "utf-8";
  // Loaded on first use, because its language models are larger than the rest of the Worker.
  const { detect } = await import("jschardet");
  const found = detect(sample, { detectEncodings: [...candidates] }).encoding?.toLowerCase() ?? "";
  return candidates.find((encoding) => encoding === (browserNames[found] ?? found)) ?? "windows-1252";
}

/**
 * Returns true if a text is UTF-8 apart from some bytes. In other encodings hardly any two consecutive bytes form a UTF-8
 * character.
 */
function isMostlyUtf8(sample: Uint8Array): boolean {
  const characters = new TextDecoder().decode(sample).match(/[^\0-\x7f]/gu) ?? [];
  const bad = characters.filter((character) => character === "\u{FFFD}");
  return characters.length > 0 && 2 * bad.length <= characters.length;
}

/** Bytes that end a cell in CSV or JSON: , ; tab, quotes and line breaks. None occurs as the second byte of a character. */
const ENDS = new Set([0x2c, 0x3b, 0x09, 0x22, 0x0a, 0x0d]);
const SPACE = 0x20;
const LONGEST_CELL = 400;

/** The first cells with bytes above ASCII, separated by spaces. The other cells say nothing about the encoding. */
async function sampleOf(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const sample: number[] = [];
  let begin = 0;
  let isAbove = false;
  for await (const chunk of bytes) {
    for (const byte of chunk) {
      if (ENDS.has(byte)) {
        if (isAbove) sample.push(SPACE);
        else sample.length = begin;
        begin = sample.length;
        isAbove = false;
      } else if (sample.length - begin < LONGEST_CELL) {
        sample.push(byte);
        isAbove ||= byte >= 0x80;
      }
    }
    if (begin > SAMPLE_BYTES) break;
  }
  return Uint8Array.from(sample.slice(0, SAMPLE_BYTES));
}
