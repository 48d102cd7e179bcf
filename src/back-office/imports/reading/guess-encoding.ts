import type { ImportEncoding } from "../../../platform/db/schema.ts";

type Candidate = {
  encoding: ImportEncoding;
  /** The characters that its languages use, the most frequent ones first. */
  frequent: string;
  rare?: string;
  /** For double-byte encodings: lead bytes of characters in everyday use. */
  everyday?: readonly (readonly [from: number, to: number])[];
  /** Penalty for a rare encoding, before anything is known about the file. */
  unlikely?: number;
};

const CYRILLIC = "оеаинтсрвлкмдпуяызьбгчйхжшОЕАИНТСРВЛКМДПУЯБГЧХЖШФКі";
const CYRILLIC_RARE = "юцщэфъёЫЗЬЙЮЦЩЭЁїєґІЇЄ№";
const KANJI = "品商日本色赤青白黒大小中名用型式製子女男服手作新";
const HANZI = "的中文茶具色大小号红白黑蓝杯子男女士装衣衫裤鞋包件品新款式用套水电机手工布个上下";
const HANZI_TRADITIONAL = "的中文茶具色大小號紅白黑藍杯子男女士裝衣衫褲鞋包件品新款式用套水電機手工布個上下";

const HANGUL = "이다는을의에가지고로한기사자스리어인대시정수색용남여성품셔츠빨간";

/** In order of preference for ties. No library that was tried tells them apart by a few words. */
const candidates: readonly Candidate[] = [
  {
    encoding: "windows-1252",
    frequent: "éèàçäöüßñáíóúãøåêâôîœæÉÖÄÜØÅ’–",
    rare: "ëïùûõòìÀÇÑÁÓÊÈÍÚÂÎÔÆý€°²³½®™“”„«»…•×·´¿¡º",
  },
  {
    encoding: "windows-1250",
    unlikely: 0.15,
    frequent: "áíéěščřžýůúňťďąćęłńóśźżőűöüăţşâîđŁŚŻŹČŠŽŘĆĐÁÖÜ",
    rare: "ľĺŕôÍÉÓŇŤĎŐŰĄĘŃĂŞŢÂÎ€°–’“”„«»…",
  },
  { encoding: "windows-1251", frequent: CYRILLIC, rare: `${CYRILLIC_RARE}«»–—“”„’…°` },
  { encoding: "koi8-r", unlikely: 0.12, frequent: CYRILLIC, rare: CYRILLIC_RARE },
  { encoding: "ibm866", unlikely: 0.3, frequent: CYRILLIC, rare: CYRILLIC_RARE },
  {
    encoding: "windows-1253",
    frequent: "αοιετνσρπκμλγυδηςθόάίέήώύφχβΑΠΚΣΜΤΓΛΔΕ",
    rare: "ωξζψΧΦΒΡΝΟΙΘΗΥΩΞΖΨΆΈΉΌ–’“”«»…",
  },
  { encoding: "windows-1254", frequent: "ışğüöçİŞÇÖÜ", rare: "Ğâîû’“”–…" },
  { encoding: "windows-1255", frequent: "יוהלאתרמשבנםחכפקדסעגטצןךףזץ", rare: "₪׳״–" },
  { encoding: "windows-1256", unlikely: 0.1, frequent: "ايلمنترهوبةدسعقفحجكشصطخضأذزغثىظإءئآؤگچپژ", rare: "ًٌٍَُِّْ،؛؟" },
  { encoding: "windows-1257", unlikely: 0.15, frequent: "āēīšūņļģķčžėąųįęõäöüŠŽČĀĒ", rare: "ŪĢĶĻŅĖŲĮÕÄÖÜ–„“”" },
  { encoding: "macintosh", unlikely: 0.3, frequent: "éèàçäöüßñáíóúãøåêâôîœæÉÖÄÜØÅ’–", rare: "ëïùûõÀÇÑÁÓÊÈ€°®™“”„«»…•" },
  {
    encoding: "shift_jis",
    frequent: KANJI,
    everyday: [
      [0x82, 0x83],
      [0x88, 0x97],
    ],
  },
  { encoding: "gb18030", frequent: HANZI, everyday: [[0xb0, 0xd7]] },
  { encoding: "big5", frequent: HANZI_TRADITIONAL, everyday: [[0xa4, 0xc6]] },
  { encoding: "euc-kr", unlikely: 0.05, frequent: HANGUL, everyday: [[0xb0, 0xc8]] },
  {
    encoding: "euc-jp",
    unlikely: 0.1,
    frequent: KANJI,
    everyday: [
      [0xa4, 0xa5],
      [0xb0, 0xcf],
    ],
  },
];

/** Guesses the encoding of a file that is not entirely UTF-8. */
export function guessEncoding(survey: ByteSurvey): ImportEncoding {
  if (isMostlyUtf8(survey) && hasFrequent(survey.cells)) return "utf-8";
  let best: { encoding: ImportEncoding; score: number } = { encoding: "windows-1252", score: Number.NEGATIVE_INFINITY };
  for (const candidate of candidates) {
    const score = scoreOf(candidate, survey.cells);
    if (score > best.score) best = { encoding: candidate.encoding, score };
  }
  return best.encoding;
}

/** Returns true if the characters that happen to be valid UTF-8 are in common use. */
function hasFrequent(cells: Uint8Array[]): boolean {
  const frequent = new Set(candidates.map((candidate) => candidate.frequent).join(""));
  const decoder = new TextDecoder("utf-8");
  return cells.some((cell) =>
    [...decoder.decode(cell)].some((character) => frequent.has(character) || EAST_ASIAN.test(character)),
  );
}

const EAST_ASIAN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Devanagari}\p{Emoji_Presentation}]/u;

/** Scores cells as text of an encoding: the average score of their characters. */
function scoreOf(candidate: Candidate, cells: Uint8Array[]): number {
  const decoder = new TextDecoder(candidate.encoding);
  const ranks = new Map(
    [...candidate.frequent].map((character, rank) => [character, 1 - (0.4 * rank) / candidate.frequent.length]),
  );
  const rare = new Set(candidate.rare);
  const worth = (character: string): number =>
    ranks.get(character) ?? (rare.has(character) ? 0.4 : unexpected(character));
  let sum = 0;
  let count = 0;
  for (const cell of cells) {
    for (const value of candidate.everyday
      ? pairs(cell, decoder, candidate.everyday, ranks, MIXES_ASCII.has(candidate.encoding))
      : singles(cell, decoder, worth)) {
      sum += value;
      count++;
    }
  }
  return count === 0 ? Number.NEGATIVE_INFINITY : sum / count - (candidate.unlikely ?? 0);
}

/** Encodings in which the second byte of everyday characters may be ASCII. */
const MIXES_ASCII: ReadonlySet<ImportEncoding> = new Set(["shift_jis", "big5"]);

function* singles(cell: Uint8Array, decoder: TextDecoder, worth: (character: string) => number): Generator<number> {
  const text = decoder.decode(cell);
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character >= "\x80") yield worth(character) - oddity(character, text.charAt(at - 1), text.charAt(at + 1));
  }
}

function* pairs(
  cell: Uint8Array,
  decoder: TextDecoder,
  everyday: readonly (readonly [number, number])[],
  ranks: ReadonlyMap<string, number>,
  mixesAscii: boolean,
): Generator<number> {
  for (let at = 0; at < cell.length; at++) {
    const first = cell[at] ?? 0;
    if (first < 0x80) continue;
    const second = cell[++at] ?? 0;
    const character = decoder.decode(cell.subarray(at - 1, at + 1));
    const isEveryday = (second >= 0xa1 || mixesAscii) && everyday.some(([from, to]) => first >= from && first <= to);
    if (character.includes("\u{FFFD}") || character.length > 1) yield -2;
    else yield ranks.get(character) ?? (isEveryday ? 0.6 : -0.3);
  }
}

function unexpected(character: string): number {
  if (/[\p{Cc}\p{Co}\p{Cn}\u{FFFD}]/u.test(character)) return -2;
  return /\p{L}/u.test(character) ? -0.2 : -0.5;
}

/**
 * Rates how odd a character is beside its neighbours: a capital after a small letter, a sign or another script within a word.
 */
function oddity(character: string, before: string, after: string): number {
  if (!LETTER.test(character)) return LETTER.test(before) && LETTER.test(after) && !/[’·-]/.test(character) ? 1 : 0;
  if (/\p{Lu}/u.test(character) && /\p{Ll}/u.test(before)) return 1;
  const isLatin = LATIN.test(character);
  // Languages in Latin script rarely have several accented letters in a row.
  if (isLatin && [before, after].every((each) => each >= "\x80" && LATIN.test(each))) return 0.7;
  return [before, after].some((each) => LETTER.test(each) && LATIN.test(each) !== isLatin) ? 0.7 : 0;
}

const LETTER = /\p{L}/u;
const LATIN = /\p{Script=Latin}/u;

/** Counts of multi-byte UTF-8 characters and invalid bytes, and sample cells with bytes above ASCII. */
export type ByteSurvey = { characters: number; badBytes: number; cells: Uint8Array[] };

/** Number of cells that suffice to guess an encoding. */
const MOST_CELLS = 2_000;
const LONGEST_CELL = 400;

/** Inspects all bytes of a file. */
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
const isMostlyUtf8 = ({ characters, badBytes }: ByteSurvey): boolean => characters > 0 && characters >= badBytes;

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
