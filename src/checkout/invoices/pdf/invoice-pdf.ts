import { type InvoiceRow, linesOfInvoice, taxGroups } from "../document.ts";
import {
  columnsOfInvoice,
  factsOfInvoice,
  invoiceSums,
  notesOfInvoice,
  partiesOfInvoice,
  rowsOfInvoice,
  sellerLines,
  titleOfInvoice,
  writerOf,
} from "../words.ts";
import { readFont } from "./font.ts";
import { A4, type Font, type PdfMark, widthOf, writePdf } from "./write-pdf.ts";

const MARGIN = 50;
const RIGHT = A4.width - MARGIN;
const SIZE = 9;
const LINE = 13;
/** Right edges of quantity, price, tax and total. */
const EDGES = [330, 405, 455, RIGHT];
const ITEM_WIDTH = 240;

let cachedFont: Font | undefined;

/** The font of the assets: a part of DejaVu Sans with Latin, Greek and Cyrillic. Read once in an isolate. */
async function loadFont({ ASSETS }: Pick<Env, "ASSETS">): Promise<Font> {
  if (cachedFont) return cachedFont;
  const file = await ASSETS.fetch("https://assets.invalid/fonts/invoice.ttf");
  const bytes = new Uint8Array(await file.arrayBuffer());
  cachedFont = { ...readFont(bytes), file: bytes };
  return cachedFont;
}

/** An invoice as a PDF, whose bytes are the same each time. */
export async function invoicePdf(env: Pick<Env, "ASSETS">, invoice: InvoiceRow): Promise<Uint8Array> {
  const font = await loadFont(env);
  const pages = layOut(font, invoice);
  const { language } = writerOf(invoice);
  return writePdf({ font, language, title: titleOfInvoice(invoice), createdAt: invoice.issuedAt, pages });
}

/** Places texts from the top of a page to its bottom, and begins another page where one is full. */
function sheet(font: Font) {
  const pages: PdfMark[][] = [[]];
  let y = A4.height - MARGIN;
  const draw = (drawn: PdfMark) => pages.at(-1)?.push(drawn);
  return {
    pages,
    /** Moves down. A block that would not fit begins on another page. */
    down(by: number, needs = LINE) {
      y -= by;
      if (y - needs > MARGIN) return;
      pages.push([]);
      y = A4.height - MARGIN;
    },
    text: (text: string, { x = MARGIN, size = SIZE, lower = 0 } = {}) => draw({ text, x, y: y - lower, size }),
    right: (text: string, edge: number) => draw({ text, x: edge - widthOf(font, text, SIZE), y, size: SIZE }),
    rule: () => draw({ x: MARGIN, y: y + LINE - 3, ruleTo: RIGHT }),
  };
}

/** Breaks a text into lines of a width, between words and, if one is too long, within it. */
function wrapped(font: Font, text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.match(/\S+\s*/g) ?? []) {
    for (const part of widthOf(font, word.trim(), SIZE) > width ? word : [word]) {
      const line = `${lines.at(-1)}${part}`;
      if (widthOf(font, line.trim(), SIZE) > width) lines.push(part);
      else lines[lines.length - 1] = line;
    }
  }
  return lines.map((line) => line.trim());
}

function layOut(font: Font, invoice: InvoiceRow): PdfMark[][] {
  const { seller } = invoice;
  const { say, amount: money } = writerOf(invoice);
  const page = sheet(font);
  const columns = (blocks: string[][]) => {
    const width = (RIGHT - MARGIN) / blocks.length - 10;
    const texts = blocks.map((block) => block.flatMap((line) => wrapped(font, line, width)));
    const height = Math.max(...texts.map(({ length }) => length)) * LINE;
    page.down(0, height);
    for (const [column, lines] of texts.entries()) {
      for (const [at, text] of lines.entries())
        page.text(text, { x: MARGIN + column * (width + 10), lower: at * LINE });
    }
    page.down(height + LINE);
  };
  page.text(titleOfInvoice(invoice), { size: 16 });
  page.down(2 * LINE);
  columns([factsOfInvoice(invoice), [seller.name, ...sellerLines(invoice)]]);
  columns(partiesOfInvoice(invoice).map(([title, lines]) => [title, ...lines]));
  const row = (item: string, cells: string[]) => {
    const lines = wrapped(font, item, ITEM_WIDTH);
    page.down(0, lines.length * LINE);
    for (const [at, cell] of cells.entries()) page.right(cell, EDGES[at] ?? RIGHT);
    for (const text of lines) {
      page.text(text);
      page.down(LINE);
    }
  };
  const [item, ...cells] = columnsOfInvoice.map((title) => say(title));
  row(item ?? "", cells);
  page.rule();
  for (const { name, details, cells } of rowsOfInvoice(invoice)) row([name, ...details].join(", "), cells);
  const lines = linesOfInvoice(invoice);
  page.rule();
  for (const { text, minor } of invoiceSums(invoice, taxGroups(lines))) {
    page.down(0);
    page.right(text, 440);
    page.right(money(minor), RIGHT);
    page.down(LINE);
  }
  page.down(LINE);
  for (const note of notesOfInvoice(invoice, lines)) columns([[note]]);
  const { pages } = page;
  const numbered = (at: number) => `${titleOfInvoice(invoice)} · ${at + 1}/${pages.length}`;
  if (pages.length > 1)
    for (const [at, drawn] of pages.entries()) drawn.push({ text: numbered(at), x: MARGIN, y: MARGIN / 2, size: SIZE });
  return pages;
}
