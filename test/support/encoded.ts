/** Encodes a text in an encoding with one or two bytes per character, by inverting its decoder. */
export function encoded(text: string, encoding: string): Uint8Array<ArrayBuffer> {
  if (encoding === "utf-8") return new Uint8Array(new TextEncoder().encode(text));
  if (encoding.startsWith("utf-16")) return utf16(text, encoding === "utf-16le");
  const table = tableOf(encoding);
  return new Uint8Array(
    [...text].flatMap((character) => {
      const bytes = table.get(character);
      if (!bytes) throw new Error(`${encoding} has no ${character}`);
      return bytes;
    }),
  );
}

const tables = new Map<string, Map<string, number[]>>();

function tableOf(encoding: string): Map<string, number[]> {
  const known = tables.get(encoding);
  if (known) return known;
  const decoder = new TextDecoder(encoding);
  const table = new Map<string, number[]>();
  const add = (bytes: number[]) => {
    const character = decoder.decode(new Uint8Array(bytes));
    if ([...character].length === 1 && character !== "\u{FFFD}" && !table.has(character)) table.set(character, bytes);
  };
  for (let first = 0; first < 256; first++) add([first]);
  if (TWO_BYTES.has(encoding))
    for (let first = 0x81; first < 255; first++) for (let second = 0x40; second < 255; second++) add([first, second]);
  tables.set(encoding, table);
  return table;
}

const TWO_BYTES = new Set(["shift_jis", "euc-jp", "gb18030", "big5", "euc-kr"]);

/** With a byte order mark. */
function utf16(text: string, isLittleEndian: boolean): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(2 * text.length + 2);
  const view = new DataView(bytes.buffer);
  for (const [at, unit] of [0xfeff, ...Array.from({ length: text.length }, (_, i) => text.charCodeAt(i))].entries())
    view.setUint16(2 * at, unit, isLittleEndian);
  return bytes;
}
