import { shopName } from "../catalogue.ts";
import type { Chapter } from "../formats/epub.ts";
import { pageHeight, pageWidth, pdf, pdfString } from "../formats/pdf.ts";

const margin = 64;
const bandHeight = 120;
const lineHeight = 19;
const charactersPerLine = 90;
const colour = { night: "0.13 0.20 0.23", brick: "0.82 0.38 0.24", cream: "0.95 0.92 0.87", grey: "0.45 0.48 0.50" };

const fill = (rgb: string, x: number, y: number, width: number, height: number) =>
  `${rgb} rg ${x} ${y} ${width} ${height} re f`;

const write = (rgb: string, font: "F1" | "F2", size: number, x: number, y: number, text: string) =>
  `BT ${rgb} rg /${font} ${size} Tf ${x} ${y} Td ${pdfString(text)} Tj ET`;

/** Breaks early rather than leaving a last line of one word. */
const wrap = (text: string) => {
  const limit = Math.min(charactersPerLine, text.length / Math.ceil(text.length / charactersPerLine) + 16);
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line ? `${line} ${word}` : word;
    if (longer.length > limit && line) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
};

const drawPage = ({ title, sections }: Chapter, number: number, count: number) => {
  const content = [
    fill(colour.night, 0, pageHeight - bandHeight, pageWidth, bandHeight),
    fill(colour.brick, 0, pageHeight - bandHeight - 6, pageWidth, 6),
    write(colour.cream, "F1", 11, margin, pageHeight - 48, shopName),
    write(colour.cream, "F2", 26, margin, pageHeight - 86, title),
  ];
  let y = pageHeight - bandHeight - 54;
  for (const { heading, lines } of sections) {
    content.push(write(colour.brick, "F2", 14, margin, y, heading));
    y -= lineHeight + 5;
    for (const line of lines) {
      content.push(fill(colour.brick, margin, y + 2, 4, 4));
      for (const part of wrap(line)) {
        content.push(write(colour.night, "F1", 11.5, margin + 16, y, part));
        y -= lineHeight;
      }
      y -= 4;
    }
    y -= lineHeight;
  }
  content.push(write(colour.grey, "F1", 9, margin, 40, `${shopName}, page ${number} of ${count}`));
  return content.join("\n");
};

export const leaflet = (title: string, pages: Chapter[]) =>
  pdf(
    title,
    shopName,
    pages.map((page, index) => drawPage(page, index + 1, pages.length)),
  );
