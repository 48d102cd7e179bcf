import { expect, it } from "vitest";
import { guessEncoding, surveyBytes } from "../../../../../src/back-office/imports/reading/guess-encoding.ts";
import { encoded } from "../../../../support/encoded.ts";

async function guessed(text: string, encoding: string): Promise<string> {
  async function* bytes() {
    yield encoded(`sku;name;type;price\r\n${text}`, encoding);
  }
  return guessEncoding(await surveyBytes(bytes()));
}

const rowsOf = (...names: string[]) => names.map((name, at) => `A-${at};${name};physical;12,50\r\n`).join("");

it.each([
  ["windows-1251", "Футболка"],
  ["windows-1251", "Мужская куртка зимняя"],
  ["windows-1252", "Größe XL"],
  ["windows-1252", "Café crème"],
  ["windows-1250", "Příliš žluťoučký kůň"],
  ["windows-1250", "Łódź"],
  ["windows-1253", "Μπλούζα"],
  ["windows-1254", "Gömlek kırmızı"],
  ["windows-1256", "حذاء رجالي أسود"],
  ["shift_jis", "赤いティーシャツ"],
  ["gb18030", "中文茶具"],
  ["big5", "紅色杯子"],
  ["koi8-r", "Чашка большая"],
])("guesses %s by one name: %s", async (encoding, name) => {
  expect(await guessed(rowsOf(name), encoding)).toBe(encoding);
});

it.each([
  ["windows-1252", ["Tasse für Café", "Señora año", "Crème brûlée", "Übergröße weiß", "Canapé"]],
  ["windows-1250", ["Koszulka żółta", "Kubek duży", "Spodnie męskie czarne", "Łyżka ślubna", "Świeca"]],
  ["windows-1255", ["חולצה לבנה", "נעליים לגברים", "כוס גדולה", "תיק יד שחור"]],
  ["windows-1253", ["Μπλούζα", "Παπούτσια γυναικεία", "κόκκινο φλιτζάνι"]],
  ["euc-kr", ["빨간 셔츠 남성용", "여성용 가방", "대형 수건", "어린이 신발"]],
  ["ibm866", ["Футболка белая", "Чашка большая", "Куртка зимняя"]],
])("guesses %s by some names", async (encoding, names) => {
  expect(await guessed(rowsOf(...names), encoding)).toBe(encoding);
});

it("treats a file as UTF-8 if most of its characters are, wherever the others stand", async () => {
  const good = encoded(rowsOf("Größe XL", "Übung"), "utf-8");
  const bad = encoded(rowsOf("café"), "windows-1252");
  for (const parts of [
    [good, bad],
    [bad, good],
  ]) {
    async function* bytes() {
      yield* parts;
    }
    expect(guessEncoding(await surveyBytes(bytes()))).toBe("utf-8");
  }
});
