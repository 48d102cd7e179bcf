import { ByteBuffer } from "./byte-buffer.ts";

const SIGNATURE_BYTES = 8;

/** Chunks that a browser needs to show the picture, beside the critical ones: colours, transparency, resolution, animation. */
const SHOWN = "tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD hIST pHYs sPLT acTL fcTL fdAT".split(" ");

/** A chunk whose name begins with a capital letter is critical. */
const isShown = (name: string) => /^[A-Z]/.test(name) || SHOWN.includes(name);

/** A PNG without texts, times, EXIF and whatever follows its end; null where it is not whole. */
export function withoutPngMetadata(bytes: Uint8Array): { bytes: Uint8Array } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kept = new ByteBuffer(bytes.length).add(bytes.subarray(0, SIGNATURE_BYTES));
  for (let at = SIGNATURE_BYTES; at + 12 <= bytes.length; ) {
    const end = at + 12 + view.getUint32(at);
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (end > bytes.length) return null;
    if (isShown(name)) kept.add(bytes.subarray(at, end));
    if (name === "IEND") return { bytes: kept.whole() };
    at = end;
  }
  return null;
}
