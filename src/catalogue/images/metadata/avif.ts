/** Boxes that hold the picture or describe how to show it. */
const VISIBLE_BOXES = ["ftyp", "meta", "mdat", "moov"];
const SHOWN_OF_META = ["hdlr", "pitm", "iinf", "iloc", "iref", "iprp", "idat", "grpl", "dinf"];
/** Containers that make up the tracks of an animation, without user data. */
const CONTAINERS = ["moov", "trak", "mdia", "minf", "stbl", "edts"];
const METADATA_OF_TRACKS = ["udta", "uuid", "meta", "free", "skip"];

/** Item types that are pictures or derived from pictures. All others, such as Exif and XMP, are metadata. */
const PICTURES = ["av01", "grid", "iovl", "iden", "tmap", "sato"];

/** Overwrites an AVIF's metadata with zeros. Nothing may move, because each part of a picture is located by its offset. */
export function withoutAvifMetadata(sent: Uint8Array): { bytes: Uint8Array } | null {
  const bytes = sent.slice();
  try {
    const boxes = boxesIn(bytes, 0, bytes.length);
    const meta = boxes?.find(({ type }) => type === "meta");
    if (!boxes || !meta || !clearItems(bytes, meta)) return null;
    for (const box of boxes) {
      if (!VISIBLE_BOXES.includes(box.type)) clear(bytes, box);
      else if (box.type === "moov") clearTracks(bytes, box);
    }
    return { bytes };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function clearTracks(bytes: Uint8Array, container: Box): void {
  for (const box of boxesIn(bytes, container.from, container.end) ?? []) {
    if (METADATA_OF_TRACKS.includes(box.type)) clear(bytes, box);
    else if (CONTAINERS.includes(box.type)) clearTracks(bytes, box);
  }
}

/** Clears the items that are not pictures. Returns false if one of them cannot be found. */
function clearItems(bytes: Uint8Array, meta: Box): boolean {
  // Skips the version and flags.
  const boxes = boxesIn(bytes, meta.from + 4, meta.end);
  if (!boxes) return false;
  const named = (type: string) => boxes.find((box) => box.type === type);
  const [infos, places, data] = [named("iinf"), named("iloc"), named("idat")];
  const metadata = infos && otherItems(bytes, infos);
  if (!metadata || !places) return false;
  const ids = new Set(metadata.map(({ id }) => id));
  // Limits the bytes cleared to the file's length, so that overlapping extents take no longer than the file.
  let left = bytes.length;
  for (const { id, from, length, isInData } of extentsOf(bytes, places)) {
    if (!ids.has(id)) continue;
    const start = isInData ? (data?.from ?? Number.NaN) + from : from;
    left -= length;
    if (!(length > 0 && left >= 0 && start + length <= (isInData ? (data?.end ?? 0) : bytes.length))) return false;
    bytes.fill(0, start, start + length);
  }
  // The new type is unknown to readers, so none of them parses the zeros.
  for (const { box, at } of metadata) {
    bytes.set([0x66, 0x72, 0x65, 0x65], at);
    bytes.fill(0, at + 4, box.end);
  }
  for (const box of boxes) if (!SHOWN_OF_META.includes(box.type)) clear(bytes, box);
  return true;
}

/**
 * Returns the items that are not pictures, with their ids and the offsets of their types, or null for a version without
 * types.
 */
function otherItems(bytes: Uint8Array, infos: Box): { id: number; box: Box; at: number }[] | null {
  const isLong = bytes[infos.from] !== 0;
  const boxes = boxesIn(bytes, infos.from + 4 + (isLong ? 4 : 2), infos.end);
  if (!boxes) return null;
  const items = [];
  for (const box of boxes) {
    const fields = reader(bytes, box.from, box.end);
    const version = fields.number(1);
    if (box.type !== "infe" || version < 2) return null;
    fields.number(3);
    const id = fields.number(version === 2 ? 2 : 4);
    fields.number(2);
    const at = fields.at();
    fields.number(4);
    if (!PICTURES.includes(text(bytes, at))) items.push({ id, box, at });
  }
  return items;
}

type Extent = { id: number; from: number; length: number; isInData: boolean };

/** Yields where the bytes of items are: in the file, or in the item data box. */
function* extentsOf(bytes: Uint8Array, places: Box): Generator<Extent> {
  const fields = reader(bytes, places.from, places.end);
  const version = fields.number(1);
  fields.number(3);
  const [sizes, more] = [fields.number(1), fields.number(1)];
  const [offsetSize, lengthSize, baseSize, indexSize] = [
    sizes >> 4,
    sizes & 15,
    more >> 4,
    version > 0 ? more & 15 : 0,
  ];
  if (lengthSize === 0) throw new RangeError("An extent without a length has no end");
  for (let items = fields.number(version < 2 ? 2 : 4); items > 0; items--) {
    const id = fields.number(version < 2 ? 2 : 4);
    const method = version > 0 ? fields.number(2) & 15 : 0;
    const source = fields.number(2);
    const base = fields.number(baseSize);
    for (let count = fields.number(2); count > 0; count--) {
      fields.number(indexSize);
      const from = base + fields.number(offsetSize);
      const length = fields.number(lengthSize);
      // Bytes in another file or item are never cleared: a length of 0 makes `clearItems` refuse the file.
      yield { id, from, length: source === 0 && method < 2 ? length : 0, isInData: method === 1 };
    }
  }
}

/** A box of ISO/IEC 14496-12: the offsets of its start, its content and its end. */
type Box = { type: string; start: number; from: number; end: number };

const text = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4));

/** More boxes than any picture has. The smallest box is eight bytes, so a file could hold a million. */
const MOST_BOXES = 10_000;

/** Returns the boxes between two offsets, or null if they do not fill the range or there are too many. */
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

/** Turns a box into free space of equal length, so that offsets stay valid. */
function clear(bytes: Uint8Array, { start, from, end }: Box): void {
  bytes.set([0x66, 0x72, 0x65, 0x65], start + 4);
  bytes.fill(0, from, end);
}

/** Reads consecutive numbers. Throws a RangeError past the end of the bytes. */
function reader(bytes: Uint8Array, start: number, end: number) {
  let at = start;
  return {
    /** Reads a number of `size` bytes, from 0 (no bytes, always 0) to 8. */
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
