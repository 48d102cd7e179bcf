import * as fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import { toDecimal } from "../../src/domain/money.ts";
import { categories, products } from "../../src/platform/db/schema.ts";
import { administration } from "../support/administration.ts";
import { encoded } from "../support/encoded.ts";
import { anImport, failuresOf } from "../support/jobs.ts";
import { db } from "../support/shop.ts";

const { ask } = administration();

/** A new shop has not assigned any ids yet. */
async function emptyShop() {
  await db.delete(products);
  await db.delete(categories);
  await db.run("DELETE FROM sqlite_sequence WHERE name IN ('products', 'categories')");
}

beforeEach(async () => {
  await emptyShop();
});

const exported = async (format: string): Promise<string> => {
  const { status, body } = await ask(`GET /admin/exports/products/${format}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return typeof body === "string" ? body : `${JSON.stringify(body)}\n`;
};

/** Letters that every encoding under test supports. */
const alphabets: [encoding: string, letters: string][] = [
  ["utf-8", "aé茶шß😀,;\"'="],
  ["utf-16le", "aé茶шß,;\"'="],
  ["utf-16be", "aé茶шß,;\"'="],
  ["windows-1252", "aéßøÜ,;\"'="],
  ["windows-1250", "ałżčŘ,;\"'="],
  ["windows-1251", "aшЖёя,;\"'="],
  ["windows-1253", "aλΩάς,;\"'="],
  ["windows-1254", "aışğÇ,;\"'="],
  ["windows-1255", "aשלום,;\"'="],
  ["windows-1256", "aسلام,;\"'="],
  ["macintosh", "aéßøÜ,;\"'="],
  ["koi8-r", "aшЖёя,;\"'="],
  ["shift_jis", "aシャ茶赤,;\"'="],
  ["gb18030", "a中文茶杯,;\"'="],
  ["big5", "a中文茶杯,;\"'="],
  ["euc-kr", "a셔츠한글,;\"'="],
];

const anImportedProduct = (letters: string) => {
  const text = fc
    .string({ minLength: 1, maxLength: 30, unit: fc.constantFrom(...letters, " ") })
    .map((value) => value.trim() || "a");
  return fc.record({
    name: text,
    type: fc.constantFrom("physical", "digital", "service"),
    status: fc.constantFrom("active", "draft"),
    price: fc.integer({ min: 0, max: 999_999_999 }).map((minor) => toDecimal(minor)),
    description: text,
    category: fc.option(text),
    weight_grams: fc.option(fc.nat(100_000)),
    stock_quantity: fc.option(fc.nat(10_000)),
  });
};

const formats = ["csv", "ndjson"] as const;
it.each(alphabets)("exports the same files from an empty shop that has imported one: %s", async (encoding, letters) => {
  const rows = fc.sample(anImportedProduct(letters), 8).map((row, n) => ({ ...row, sku: `TRIP-${n}` }));
  const first = rows.map((row) => JSON.stringify(row)).join("\n");
  expect(await anImport(first, { name: "products.ndjson" })).toMatchObject({ to_create: 8, failed: 0 });
  const before = { csv: await exported("csv"), ndjson: await exported("ndjson") };
  for (const format of formats) {
    await emptyShop();
    const file = { name: `products.${format}`, readAs: { encoding } };
    const done = await anImport(encoded(before[format], encoding), file);
    expect(await failuresOf(done.check_job_id)).toEqual([]);
    expect(done).toMatchObject({ state: "completed", format, encoding, rows: 8, to_create: 8, failed: 0 });
    expect(await exported(format)).toEqual(before[format]);
  }
});

const aCell = fc.constantFrom(
  "",
  "x",
  "1,000",
  "12.50",
  "-5",
  "1E+3",
  "simple",
  "variation",
  "variable",
  "TRIP-1",
  "\u{FFFD}",
  '"',
  "id:4",
);
const headers = [
  "sku,name,type,price,stock_quantity",
  "ID,Type,SKU,Name,Regular price,Stock,Parent",
  "Handle,Title,Variant SKU,Variant Price,Variant Inventory Qty,Image Src",
];
it("loses no row without a failure that names it", async () => {
  for (const header of headers) {
    const width = header.split(",").length;
    const rows = fc.sample(fc.array(aCell, { minLength: width, maxLength: width }), 40);
    const lines = rows.map((cells) => cells.map((cell) => (cell === '"' ? '""""' : `"${cell}"`)).join(","));
    const filled = rows.filter((cells) => cells.some((cell) => cell !== "")).length;
    const done = await anImport([header, ...lines].join("\n"));
    const failed = (await failuresOf(done.check_job_id)).filter(
      ({ is_warning }: { is_warning: boolean }) => !is_warning,
    );
    expect(new Set(failed.map(({ line }: { line: number }) => line)).size).toBe(done.failed);
    expect(done.rows).toBe(filled);
    expect(done.to_create + done.to_update + done.unchanged + done.failed + done.skipped).toBe(filled);
  }
});
