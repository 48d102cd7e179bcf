import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fold } from "../../src/domain/text.ts";
import { foldedWords, matchExpression } from "../../src/platform/db/search-words.ts";
import { anyText } from "../support/any-text.ts";

const ROWS = 10_000;

/** Indexes the texts as if they were names of products, and returns the queries that miss their text. */
async function missed(texts: string[], queriesOf: (text: string) => string[]): Promise<string[]> {
  const rows = texts.map((text, id) => ({ id: 1_000_000 + id, text, words: foldedWords([text]) }));
  const queries = rows.flatMap(({ id, text }) =>
    [...new Set(queriesOf(text).map(matchExpression))].flatMap((match) => (match === null ? [] : [{ id, match }])),
  );
  await env.DB.prepare(
    `INSERT INTO products_search (rowid, name, folded_words)
      SELECT value ->> 'id', value ->> 'text', value ->> 'words' FROM json_each(?)`,
  )
    .bind(JSON.stringify(rows))
    .run();
  const { results } = await env.DB.prepare(
    `SELECT value ->> 'match' AS match FROM json_each(?1) WHERE NOT EXISTS (
        SELECT 1 FROM products_search WHERE products_search MATCH value ->> 'match' AND rowid = value ->> 'id')`,
  )
    .bind(JSON.stringify(queries))
    .all<{ match: string }>();
  await env.DB.prepare(
    `INSERT INTO products_search (products_search, rowid, name, folded_words)
      SELECT 'delete', value ->> 'id', value ->> 'text', value ->> 'words' FROM json_each(?)`,
  )
    .bind(JSON.stringify(rows))
    .run();
  return results.map(({ match }) => match);
}

const spellings = (word: string): string[] => [
  word,
  word.toUpperCase(),
  word.toLowerCase(),
  word.normalize("NFC"),
  word.normalize("NFD"),
  fold(word),
];

describe("the index", () => {
  it("contains each folded character in a word of its own, and at the start, middle and end of a word", async () => {
    const characters: string[] = [];
    for (let code = 1; code <= 0xe_0fff; code++) {
      const character = String.fromCodePoint(code);
      if (/[\p{L}\p{N}\p{M}\p{S}\p{P}\p{Cf}]/u.test(character) && fold(character) !== character) {
        characters.push(character);
      }
    }
    expect(characters.length).toBeGreaterThan(5_000);
    for (let first = 0; first < characters.length; first += ROWS) {
      const texts = characters.slice(first, first + ROWS).map((c) => `k${c}w ${c} ${c}qq jj${c}`);
      const words = (text: string) => text.split(" ").flatMap(spellings);
      expect(await missed(texts, words)).toEqual([]);
    }
  });

  it("finds every word of any text, in any case, with or without marks, and the last one by its beginning", async () => {
    const texts = fc.sample(anyText, { seed: 7, numRuns: 2_000 }).filter((text) => !text.includes("\0"));
    const words = (text: string) => {
      const folded = fold(text).match(/[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{M}\p{Co}]*/gu) ?? [];
      return [
        ...spellings(text),
        ...folded.flatMap((word) => [word, word.toUpperCase(), [...word].slice(0, 3).join("")]),
      ];
    };
    expect(await missed(texts, words)).toEqual([]);
  });
});
