import { ByteBuffer } from "./byte-buffer.ts";

const [IMAGE, EXTENSION, TRAILER] = [0x2c, 0x21, 0x3b];
const [GRAPHIC_CONTROL, APPLICATION] = [0xf9, 0xff];

/**
 * Extensions that set how often an animation repeats, in one sub-block of `LOOP_BYTES`. Anything after that sub-block is
 * dropped.
 */
const LOOPS = ["NETSCAPE2.0", "ANIMEXTS1.0"];
const LOOP_BYTES = 3;

/** Size in bytes of the colour table that these flags announce. */
const colorTable = (flags = 0): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Strips comments, text, application data and trailing bytes from a GIF. Returns null if the file is incomplete. */
export function withoutGifMetadata(bytes: Uint8Array): { bytes: Uint8Array } | null {
  const beginning = 13 + colorTable(bytes[10]);
  const kept = new ByteBuffer(bytes.length).add(bytes.subarray(0, beginning));
  for (let at = beginning; at < bytes.length; ) {
    const kind = bytes[at];
    if (kind === TRAILER) return { bytes: kept.add(bytes.subarray(at, at + 1)).whole() };
    if (kind !== IMAGE && kind !== EXTENSION) return null;
    // An image starts with its position, its colours and a compression byte; an extension starts with its label.
    const data = kind === IMAGE ? at + 11 + colorTable(bytes[at + 9]) : at + 2;
    const end = afterSubBlocks(bytes, data);
    if (end === null) return null;
    kept.add(...shown(bytes.subarray(at, end)));
    at = end;
  }
  return null;
}

function afterSubBlocks(bytes: Uint8Array, from: number): number | null {
  for (let at = from; ; ) {
    const size = bytes[at];
    if (size === undefined) return null;
    at += 1 + size;
    if (size === 0) return at;
  }
}

function shown(block: Uint8Array): Uint8Array[] {
  const [kind, label] = block;
  if (kind === IMAGE || label === GRAPHIC_CONTROL) return [block];
  const isLoop = label === APPLICATION && LOOPS.includes(String.fromCharCode(...block.subarray(3, 14)));
  return isLoop && block[14] === LOOP_BYTES ? [block.subarray(0, 15 + LOOP_BYTES), Uint8Array.of(0)] : [];
}
