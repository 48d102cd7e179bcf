import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAdministrator } from "../../scripts/administrators/statements.ts";
import { eraseDueAccounts } from "../../src/accounts/personal-data/erase-due.ts";
import { fold } from "../../src/domain/text.ts";
import { products } from "../../src/platform/db/schema.ts";
import { foldedWords, matchExpression } from "../../src/platform/db/search-words.ts";
import { anAccount, PASSWORD } from "../support/accounts.ts";
import { anyText } from "../support/any-text.ts";
import { call } from "../support/call.ts";
import { delivered, tokenIn } from "../support/emails.ts";
import { wronglyFolded } from "../support/folded-words.ts";
import { anImport, runJob } from "../support/jobs.ts";
import { ADDRESS, aFile, aKey, aProduct, aUser, db, orderOf } from "../support/shop.ts";
import { aForm } from "../support/uploads.ts";

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

// Every write of a name also writes its folded words. Each name has words that need folding, and the two share none.
const [FIRST, SECOND] = ["Weiß", "Łódź"];

const { token: as } = await aUser({ role: "admin" });

/** Sends a request that must succeed. */
async function send(request: string, body: object, caller = as) {
  const answer = await call(request, { as: caller, body });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}

const undo = async (job: number) => runJob((await send(`POST /admin/jobs/${job}/undo`, {})).id);

const product = (name: string, sku: string) => ({ name, sku, type: "physical", price: 1 });

describe("the words of a product", () => {
  it("follow it in the admin API", async () => {
    const { id } = await send("POST /admin/products", product(FIRST, "F-1"));
    expect(await wronglyFolded()).toEqual([]);
    for (const change of [{ name: SECOND }, { description: FIRST }, { sku: "Öre-ø" }, { name: "Plain" }]) {
      await send(`PUT /admin/products/${id}`, change);
      expect(await wronglyFolded(), JSON.stringify(change)).toEqual([]);
    }
    await send(`PUT /admin/products/${id}`, { description: "", sku: "plain" });
    expect((await db.select().from(products).where(eq(products.id, id)).get())?.foldedWords).toBeNull();
    await send("POST /admin/products/bulk-actions", { ids: [id], change: { price_percent: 10 } });
    expect(await wronglyFolded()).toEqual([]);
  });

  it("follow it through an import and its undo", async () => {
    const { sku } = await aProduct({ name: FIRST });
    const csv = `sku,name,type,price\r\n${sku},${SECOND},,\r\nNEW-ß,${FIRST},physical,1`;
    const { job_id } = await anImport(csv, { as });
    expect(await wronglyFolded()).toEqual([]);
    await undo(job_id);
    expect(await wronglyFolded()).toEqual([]);
  });
});

describe("the words of a file", () => {
  it("follow it", async () => {
    const content = { name: `${FIRST}.txt` };
    const { id } = (await call("POST /admin/files", { as, body: aForm({ access: "public" }, content) })).body.data;
    expect(await wronglyFolded()).toEqual([]);
    await send(`PUT /admin/files/${id}`, { name: SECOND });
    await send(`PUT /admin/files/${id}`, { file_name: `${SECOND}.txt` });
    expect(await wronglyFolded()).toEqual([]);
    await call(`POST /admin/files/${id}/versions`, { as, body: aForm({}, { name: "Ærø.txt", content: "other" }) });
    expect(await wronglyFolded()).toEqual([]);
  });

  it("are those of its content's name by default", async () => {
    await aFile({ name: FIRST, fileName: `${SECOND}.txt` });
    expect(await wronglyFolded()).toEqual([]);
  });
});

describe("the words of an account", () => {
  it("follow changes by its owner and by administrators", async () => {
    const signup = { email: "signup@shop.test", password: PASSWORD, name: FIRST };
    const { token, user } = (await call("POST /auth/signup", { body: signup })).body.data;
    expect(await wronglyFolded()).toEqual([]);
    await send("PUT /account/profile", { name: SECOND }, token);
    expect(await wronglyFolded()).toEqual([]);
    await send(`PUT /admin/users/${user.id}`, { name: FIRST });
    expect(await wronglyFolded()).toEqual([]);
  });

  it("are removed with a stranger's name once the owner of the address proves it", async () => {
    const email = "squatted@shop.test";
    await call("POST /auth/signup", { body: { email, password: PASSWORD, name: FIRST } });
    const [sent] = await delivered(email);
    const verified = await call("POST /auth/verify-email", { body: { token: tokenIn(sent ?? { text: "" }) } });
    expect([verified.status, verified.body.data.new_password_needed]).toEqual([200, true]);
    expect(await wronglyFolded()).toEqual([]);
  });

  it("follow it through an import and its undo", async () => {
    const { email } = await aUser({ name: FIRST });
    const csv = `email,name\r\n${email},${SECOND}\r\nimported@shop.test,${FIRST}`;
    const { job_id } = await anImport(csv, { as, resource: "customers", name: "customers.csv" });
    expect(await wronglyFolded()).toEqual([]);
    await undo(job_id);
    expect(await wronglyFolded()).toEqual([]);
  });

  it("exist for an administrator created by the script", async () => {
    const person = { email: "boss@shop.test", name: FIRST, passwordHash: "none" };
    const author = { actor: "system", address: null, requestId: "test", now: Date.now() };
    for (const statement of createAdministrator(person, author).split(";\n").filter(Boolean)) {
      await env.DB.prepare(statement).run();
    }
    expect(await wronglyFolded()).toEqual([]);
  });
});

describe("the words of an order", () => {
  it("are those of its account or its guest", async () => {
    const sold = await aProduct();
    const buyer = await aUser({ name: FIRST, wallet: 10_000 });
    await send("POST /orders", orderOf(sold), buyer.token);
    const { key } = await aKey();
    const customer = { email: "guest@shop.test", name: SECOND };
    const guest = { shipping_address: ADDRESS, payment_method: "credit_card", customer };
    await send("POST /orders", orderOf(sold, 1, guest), key);
    expect(await wronglyFolded()).toEqual([]);
  });

  it("are erased with the name of the account", async () => {
    const { id, token } = await anAccount();
    await send(`PUT /admin/users/${id}`, { name: "Ålandsgroß" });
    await send(`POST /admin/users/${id}/credit`, { amount: 10, reason: "a gift" });
    await send("POST /orders", orderOf(await aProduct({ type: "service" })), token);
    expect((await call("DELETE /account", { as: token, body: { current_password: PASSWORD } })).status).toBe(200);
    const found = async () => (await call("GET /admin/users?search=alandsgross", { as })).body.data.length;
    const before = await found();
    await eraseDueAccounts(env, db, Date.now() + 8 * 86_400_000);
    expect([before, await found()]).toEqual([1, 0]);
    expect((await call("GET /admin/orders?search=alandsgross", { as })).body.data).toEqual([]);
    expect(await wronglyFolded()).toEqual([]);
  });
});

it("the name of an API key or a discount is followed by its words", async () => {
  const key = await send("POST /admin/api-keys", { name: FIRST, permissions: ["read"] });
  await send(`PUT /admin/api-keys/${key.id}`, { name: SECOND });
  const reduced = { name: FIRST, kind: "percentage", percent: 5, code: "FOLDED" };
  const discount = await send("POST /admin/discounts", reduced);
  await send(`PUT /admin/discounts/${discount.id}`, { name: SECOND });
  const idsOf = async (path: string) =>
    (await call(`GET ${path}?search=lodz`, { as })).body.data.map(({ id }: { id: number }) => id);
  expect([await idsOf("/admin/api-keys"), await idsOf("/admin/discounts")]).toEqual([[key.id], [discount.id]]);
});

it.each([
  ["products", "UPDATE products SET name = 'Weiß' WHERE folded_words IS NULL"],
  ["users", "UPDATE users SET name = 'Weiß' WHERE folded_words IS NULL AND erased_at IS NULL"],
  ["files", "UPDATE files SET name = 'Plain', file_name = 'plain.txt' WHERE folded_words IS NOT NULL"],
])("%s refuse a name without its words, and words of another name", async (_, statement) => {
  await aProduct();
  await expect(env.DB.prepare(statement).run()).rejects.toThrow("words_are_folded");
});
