/** A TrueType font with the measures that a PDF needs, in thousandths of the font size. */
export type FontMeasures = {
  ascent: number;
  descent: number;
  box: number[];
  /** Number of a character's glyph. 0 is the box for characters that the font lacks. */
  glyphOf: (codePoint: number) => number;
  widthOf: (glyph: number) => number;
};

const TAG = 16;

/** Reads a font with a `cmap` of format 4, which covers all characters up to U+FFFF (OpenType specification, "cmap"). */
export function readFont(bytes: Uint8Array): FontMeasures {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tables = new Map<string, number>();
  for (let at = 12, left = view.getUint16(4); left > 0; at += TAG, left -= 1) {
    tables.set(String.fromCharCode(...bytes.subarray(at, at + 4)), view.getUint32(at + 8));
  }
  const start = (tag: string): number => {
    const at = tables.get(tag);
    if (at === undefined) throw new Error(`The font has no table ${tag}`);
    return at;
  };
  const [head, metrics, widths] = [start("head"), start("hhea"), start("hmtx")];
  const perThousand = (units: number) => Math.round((units * 1000) / view.getUint16(head + 18));
  const lastWidth = view.getUint16(metrics + 34) - 1;
  const glyphs = readGlyphs(view, start("cmap"));
  return {
    ascent: perThousand(view.getInt16(metrics + 4)),
    descent: perThousand(view.getInt16(metrics + 6)),
    box: [36, 38, 40, 42].map((at) => perThousand(view.getInt16(head + at))),
    glyphOf: (codePoint) => glyphs.get(codePoint) ?? 0,
    widthOf: (glyph) => perThousand(view.getUint16(widths + 4 * Math.min(glyph, lastWidth))),
  };
}

const FORMAT = 4;

function readGlyphs(view: DataView, cmap: number): Map<number, number> {
  const subtables = Array.from(
    { length: view.getUint16(cmap + 2) },
    (_, at) => cmap + view.getUint32(cmap + 8 + 8 * at),
  );
  const table = subtables.find((at) => view.getUint16(at) === FORMAT);
  if (table === undefined) throw new Error("The font has no cmap of format 4");
  const twice = view.getUint16(table + 6);
  const [ends, starts, deltas, offsets] = [14, 16 + twice, 16 + 2 * twice, 16 + 3 * twice].map((at) => table + at) as [
    number,
    number,
    number,
    number,
  ];
  const glyphs = new Map<number, number>();
  for (let at = 0; at < twice; at += 2) {
    const [first, offset] = [view.getUint16(starts + at), view.getUint16(offsets + at)];
    for (let code = first; code <= view.getUint16(ends + at) && code < 0xffff; code += 1) {
      const glyph = offset === 0 ? code : view.getUint16(offsets + at + offset + 2 * (code - first));
      if (glyph !== 0) glyphs.set(code, (glyph + view.getInt16(deltas + at)) & 0xffff);
    }
  }
  return glyphs;
}
