/** Counts of multi-byte UTF-8 characters and invalid bytes, and sample cells with bytes above ASCII. */
export type ByteSurvey = { characters: number; badBytes: number; cells: Uint8Array[] };

/** Enough to guess an encoding by. */
const MOST_CELLS = 2_000;
const LONGEST_CELL = 400;

/** Looks at all bytes of a file. */
export async function surveyBytes(bytes: AsyncIterable<Uint8Array>): Promise<ByteSurvey> {
  const utf8 = new Utf8Counter();
  const cells: Uint8Array[] = [];
  for await (const chunk of bytes) {
    utf8.add(chunk);
    if (cells.length < MOST_CELLS) cells.push(...cellsAboveAscii(chunk, MOST_CELLS - cells.length));
  }
  return { characters: utf8.characters, badBytes: utf8.badBytes, cells };
}

/**
 * Returns true if a file is UTF-8 apart from some bytes. In other encodings hardly any two consecutive bytes form a UTF-8
 * character.
 */
export const isMostlyUtf8 = ({ characters, badBytes }: ByteSurvey): boolean => characters > 0 && characters >= badBytes;

/** Counts multi-byte characters and bytes that belong to none. */
class Utf8Counter {
  characters = 0;
  badBytes = 0;
  #missing = 0;
  #least = 0x80;
  #most = 0xbf;

  add(chunk: Uint8Array): void {
    for (const byte of chunk) {
      if (this.#missing > 0) {
        if (byte >= this.#least && byte <= this.#most) {
          this.#expect(this.#missing - 1);
          if (this.#missing === 0) this.characters++;
          continue;
        }
        this.badBytes++;
        this.#missing = 0;
      }
      if (byte >= 0x80) this.#begin(byte);
    }
  }

  #begin(byte: number): void {
    if (byte >= 0xc2 && byte <= 0xdf) this.#expect(1);
    else if (byte >= 0xe0 && byte <= 0xef) this.#expect(2, byte === 0xe0 ? 0xa0 : 0x80, byte === 0xed ? 0x9f : 0xbf);
    else if (byte >= 0xf0 && byte <= 0xf4) this.#expect(3, byte === 0xf0 ? 0x90 : 0x80, byte === 0xf4 ? 0x8f : 0xbf);
    else this.badBytes++;
  }

  #expect(missing: number, least = 0x80, most = 0xbf): void {
    this.#missing = missing;
    this.#least = least;
    this.#most = most;
  }
}

/** Bytes that end a cell in CSV or JSON: , ; tab, quotes and line breaks. None occurs as the second byte of a character. */
const ENDS = new Set([0x2c, 0x3b, 0x09, 0x22, 0x0a, 0x0d]);

function cellsAboveAscii(chunk: Uint8Array, most: number): Uint8Array[] {
  const cells: Uint8Array[] = [];
  let begin = 0;
  let isAbove = false;
  for (let at = 0; at <= chunk.length && cells.length < most; at++) {
    const byte = chunk[at];
    if (byte !== undefined && !ENDS.has(byte)) {
      isAbove ||= byte >= 0x80;
      continue;
    }
    // Copies the cell: a stream may reuse its buffer.
    if (isAbove) cells.push(chunk.slice(begin, Math.min(at, begin + LONGEST_CELL)));
    begin = at + 1;
    isAbove = false;
  }
  return cells;
}
