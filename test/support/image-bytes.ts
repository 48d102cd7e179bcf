import { crc32, deflateSync } from "node:zlib";

export const ascii = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

export const bytes = (...parts: (number | Uint8Array)[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "number" ? [part] : [...part])));

const uint32 = (value: number) => bytes(value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);

export function pngChunk(name: string, data: Uint8Array = new Uint8Array()): Uint8Array {
  const named = bytes(ascii(name), data);
  return bytes(uint32(data.length), named, uint32(crc32(named)));
}

let shades = 0;

/** A unique PNG of one colour. `chunks` are inserted before the image data. */
export function aPng({ width = 8, height = 6, chunks = [] as Uint8Array[], shade = ++shades } = {}) {
  const header = bytes(uint32(width), uint32(height), 8, 2, 0, 0, 0);
  const line = bytes(0, ...Array.from({ length: width }, () => bytes(shade & 255, shade >> 8, 90)));
  const picture = new Uint8Array(deflateSync(bytes(...Array.from({ length: height }, () => line))));
  const signature = bytes(0x89, ascii("PNG\r\n\x1a\n"));
  return bytes(signature, pngChunk("IHDR", header), ...chunks, pngChunk("IDAT", picture), pngChunk("IEND"));
}
