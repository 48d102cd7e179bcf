import type { FontMeasures } from "./font.ts";

/** A font with its file. */
export type Font = FontMeasures & { file: Uint8Array };

/** A text at a place in points from the lower left corner, or a line to the right of it. */
export type PdfMark = { x: number; y: number } & ({ text: string; size: number } | { ruleTo: number });

export const A4 = { width: 595, height: 842 };

type PdfDocument = {
  font: Font;
  language: string;
  title: string;
  createdAt: number;
  pages: readonly (readonly PdfMark[])[];
};

const encoder = new TextEncoder();

/** Width of a text in points. */
export const widthOf = ({ glyphOf, widthOf: ofGlyph }: FontMeasures, text: string, size: number): number =>
  [...text].reduce((width, character) => width + ofGlyph(glyphOf(character.codePointAt(0) ?? 0)), 0) * (size / 1000);

/**
 * Writes a PDF 1.7 (ISO 32000-1) with one embedded font. Equal documents have equal bytes: the time is the document's, and
 * there is no random id. Libraries that embed fonts take a quarter of the Worker's bundle and more.
 */
export function writePdf({ font, language, title, createdAt, pages }: PdfDocument): Uint8Array {
  const used = new Map<number, number>();
  const contents = pages.map((drawn) => drawn.map((each) => operatorsOf(font, each, used)).join("\n"));
  const [FIRST_PAGE, kids] = [9, pages.map((_, at) => `${9 + 2 * at} 0 R`).join(" ")];
  const objects = [
    object(`<</Type/Catalog/Pages 2 0 R/Lang(${language})>>`),
    object(`<</Type/Pages/Count ${pages.length}/Kids[${kids}]>>`),
    object("<</Type/Font/Subtype/Type0/BaseFont/Invoice/Encoding/Identity-H/DescendantFonts[4 0 R]/ToUnicode 7 0 R>>"),
    object(
      `<</Type/Font/Subtype/CIDFontType2/BaseFont/Invoice/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>` +
        `/FontDescriptor 5 0 R/CIDToGIDMap/Identity/W[${[...used.keys()].map((glyph) => `${glyph}[${font.widthOf(glyph)}]`).join("")}]>>`,
    ),
    object(
      `<</Type/FontDescriptor/FontName/Invoice/Flags 32/FontBBox[${font.box.join(" ")}]/ItalicAngle 0/Ascent ${font.ascent}` +
        `/Descent ${font.descent}/CapHeight ${font.ascent}/StemV 80/FontFile2 6 0 R>>`,
    ),
    // Not compressed, because other versions of the runtime might deflate it to other bytes.
    stream(font.file, `/Length1 ${font.file.length}`),
    stream(encoder.encode(unicodeMap(used))),
    object(
      `<</Title${hex(title)}/Producer(storefront)/CreationDate(D:${new Date(createdAt).toISOString().replaceAll(/\D/g, "").slice(0, 14)}Z)>>`,
    ),
    ...contents.flatMap((content, at) => [
      object(
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${A4.width} ${A4.height}]/Resources<</Font<</F 3 0 R>>>>/Contents ${FIRST_PAGE + 1 + 2 * at} 0 R>>`,
      ),
      stream(encoder.encode(content)),
    ]),
  ];
  return assembled(objects);
}

function operatorsOf(font: Font, drawn: PdfMark, used: Map<number, number>): string {
  const place = `${point(drawn.x)} ${point(drawn.y)}`;
  if ("ruleTo" in drawn) return `0.5 w ${place} m ${point(drawn.ruleTo)} ${point(drawn.y)} l S`;
  const glyphs = [...drawn.text].map((character) => {
    const code = character.codePointAt(0) ?? 0;
    const glyph = font.glyphOf(code);
    used.set(glyph, code);
    return hexOf(glyph);
  });
  return `BT /F ${drawn.size} Tf ${place} Td <${glyphs.join("")}> Tj ET`;
}

const point = (value: number): string => String(Math.round(value * 100) / 100);

const hexOf = (number: number): string => number.toString(16).padStart(4, "0");

const utf16 = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => hexOf(text.charCodeAt(at))).join("");

/** A text string outside of content, in UTF-16 with its byte order mark. */
const hex = (text: string): string => `<feff${utf16(text)}>`;

/** Maps glyphs to characters, for readers that copy or search. At most 100 entries stand in a block. */
function unicodeMap(used: ReadonlyMap<number, number>): string {
  const entries = [...used].map(([glyph, code]) => `<${hexOf(glyph)}><${utf16(String.fromCodePoint(code))}>`);
  const blocks = Array.from({ length: Math.ceil(entries.length / 100) }, (_, at) =>
    entries.slice(100 * at, 100 * at + 100),
  );
  return `/CIDInit/ProcSet findresource begin 12 dict begin begincmap/CMapName/U def/CMapType 2 def
1 begincodespacerange<0000><ffff>endcodespacerange
${blocks.map((block) => `${block.length} beginbfchar\n${block.join("\n")}\nendbfchar`).join("\n")}
endcmap end end`;
}

const object = (dictionary: string): Uint8Array[] => [encoder.encode(dictionary)];

const stream = (bytes: Uint8Array, more = ""): Uint8Array[] => [
  encoder.encode(`<<${more}/Length ${bytes.length}>>stream\n`),
  bytes,
  encoder.encode("\nendstream"),
];

/** The file: header, objects, and the table of their positions. Object 1 is the root and object 8 the information. */
function assembled(objects: readonly Uint8Array[][]): Uint8Array {
  const parts: Uint8Array[] = [];
  let length = 0;
  const write = (part: Uint8Array) => {
    parts.push(part);
    length += part.length;
  };
  write(encoder.encode("%PDF-1.7\n"));
  const positions = objects.map((content, at) => {
    const position = length;
    write(encoder.encode(`${at + 1} 0 obj\n`));
    for (const part of content) write(part);
    write(encoder.encode("\nendobj\n"));
    return `${String(position).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${positions.join("")}`;
  write(
    encoder.encode(
      `${table}trailer<</Size ${objects.length + 1}/Root 1 0 R/Info 8 0 R>>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  const file = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    file.set(part, at);
    at += part.length;
  }
  return file;
}
