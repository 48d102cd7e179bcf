/** A box of ISO/IEC 14496-12: where it begins, where its content does, and where it ends. */
export type Box = { type: string; start: number; from: number; end: number };

export const text = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4));

/** More than a box of any picture has; the smallest box is eight bytes, of which a file may have a million. */
const MOST_BOXES = 10_000;

/** The boxes between two places; null where they do not fill it, or are too many. */
export function boxesIn(bytes: Uint8Array, from: number, end: number): Box[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const boxes: Box[] = [];
  for (let at = from; at < end; ) {
    if (at + 8 > end || boxes.length === MOST_BOXES) return null;
    const size = view.getUint32(at);
    const isLong = size === 1;
    if (isLong && at + 16 > end) return null;
    const head = isLong ? 16 : 8;
    const next = size === 0 ? end : at + (isLong ? Number(view.getBigUint64(at + 8)) : size);
    if (next > end || next < at + head) return null;
    boxes.push({ type: text(bytes, at + 4), start: at, from: at + head, end: next });
    at = next;
  }
  return boxes;
}

/** Makes a box free space of the same length, so that nothing moves that is found by its place. */
export function clear(bytes: Uint8Array, { start, from, end }: Box): void {
  bytes.set([0x66, 0x72, 0x65, 0x65], start + 4);
  bytes.fill(0, from, end);
}

/** Reads numbers one after the other; throws a RangeError where there are no more bytes. */
export function reader(bytes: Uint8Array, start: number, end: number) {
  let at = start;
  return {
    /** A number of so many bytes: 0, which is of none, up to 8. */
    number(size: number): number {
      if (at + size > end) throw new RangeError("The box has no more bytes");
      let value = 0;
      for (const byte of bytes.subarray(at, at + size)) value = value * 256 + byte;
      at += size;
      return value;
    },
    at: () => at,
  };
}
