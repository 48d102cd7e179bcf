import { ByteBuffer } from "./byte-buffer.ts";

const SIGNATURE_BYTES = 8;

/** Ancillary chunks that browsers need to show the picture: colours, transparency, resolution, animation. */
const SHOWN = "tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD hIST pHYs sPLT acTL fcTL fdAT".split(" ");

/** The critical chunks. Decoders must refuse an image with any other chunk whose name begins with a capital letter. */
const CRITICAL = ["IHDR", "PLTE", "IDAT", "IEND"];
const isUnknown = (name: string) => /^[A-Z]/.test(name) && !CRITICAL.includes(name);

/**
 * Strips text, times, EXIF and trailing bytes from a PNG. Returns null if the file is incomplete or has chunks that no
 * decoder shows.
 */
export function withoutPngMetadata(bytes: Uint8Array): { bytes: Uint8Array } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kept = new ByteBuffer(bytes.length).add(bytes.subarray(0, SIGNATURE_BYTES));
  for (let at = SIGNATURE_BYTES; at + 12 <= bytes.length; ) {
    const end = at + 12 + view.getUint32(at);
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (end > bytes.length || isUnknown(name)) return null;
    if (CRITICAL.includes(name) || SHOWN.includes(name)) kept.add(bytes.subarray(at, end));
    if (name === "IEND") return { bytes: kept.whole() };
    at = end;
  }
  return null;
}
