import { ByteBuffer } from "./byte-buffer.ts";

const SIGNATURE_BYTES = 8;

/** Ancillary chunks that browsers need to show the picture: colours, transparency, resolution, animation. */
const SHOWN_OF_PNG = "tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD hIST pHYs sPLT acTL fcTL fdAT".split(" ");

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
    if (CRITICAL.includes(name) || SHOWN_OF_PNG.includes(name)) kept.add(bytes.subarray(at, end));
    if (name === "IEND") return { bytes: kept.whole() };
    at = end;
  }
  return null;
}

/** "RIFF", the length of what follows, "WEBP". */
const HEADER_BYTES = 12;

const SHOWN_OF_WEBP = ["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"];

/** VP8X flags for EXIF and XMP. */
const METADATA_FLAGS = 0x08 | 0x04;

/** Strips EXIF, XMP and trailing bytes from a WebP. Returns null if the file is incomplete. */
export function withoutWebpMetadata(bytes: Uint8Array): { bytes: Uint8Array } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = 8 + view.getUint32(4, true);
  if (end > bytes.length) return null;
  const kept = new ByteBuffer(bytes.length).add(bytes.subarray(0, HEADER_BYTES));
  for (let at = HEADER_BYTES; at + 8 <= end; ) {
    const size = view.getUint32(at + 4, true);
    const name = String.fromCharCode(...bytes.subarray(at, at + 4));
    // A chunk of odd length is padded with one byte.
    const next = at + 8 + size + (size % 2);
    if (next > end) return null;
    if (SHOWN_OF_WEBP.includes(name)) kept.add(bytes.subarray(at, next));
    at = next;
  }
  const whole = kept.whole();
  new DataView(whole.buffer).setUint32(4, whole.length - 8, true);
  const flags = HEADER_BYTES + 8;
  if (String.fromCharCode(...whole.subarray(HEADER_BYTES, HEADER_BYTES + 4)) === "VP8X") {
    whole[flags] = (whole[flags] ?? 0) & ~METADATA_FLAGS;
  }
  return { bytes: whole };
}
