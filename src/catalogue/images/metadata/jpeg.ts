import { ByteBuffer } from "./byte-buffer.ts";

const MARKER = 0xff;
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
const COMMENT = 0xfe;
const EXIF = 0xe1;

/** Application segments that browsers need to show the picture: density, colour profile, colour transform. */
const VISIBLE_SEGMENTS: Record<number, string> = { 224: "JFIF\0", 226: "ICC_PROFILE\0", 238: "Adobe" };

/**
 * Strips EXIF, XMP, IPTC, comments and trailing bytes, such as the video of a "live" photo, from a JPEG. Keeps the
 * orientation, which browsers use to rotate it. Returns null if the file is not a JPEG or has segments that no browser knows.
 */
export function withoutJpegMetadata(bytes: Uint8Array): { bytes: Uint8Array; isSideways: boolean } | null {
  let isSideways = false;
  const kept = new ByteBuffer(bytes.length).add(bytes.subarray(0, 2));
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== MARKER) return null;
    const marker = bytes[at + 1] ?? 0;
    // Any number of 0xff bytes may precede a marker.
    if (marker === MARKER) {
      at++;
      continue;
    }
    if (!isKnown(marker) && !isApplication(marker) && marker !== COMMENT) return null;
    const end = at + 2 + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0));
    if (end < at + 4 || end > bytes.length) return null;
    const segment = bytes.subarray(at, end);
    if (marker === EXIF) {
      const orientation = orientationOf(segment);
      isSideways ||= orientation >= 5;
      kept.add(...orientationSegment(orientation));
    } else if (isShown(marker, segment)) kept.add(segment);
    at = end;
    if (marker !== START_OF_SCAN) continue;
    at = endOfScan(bytes, end);
    kept.add(bytes.subarray(end, at));
    const isOver = bytes[at + 1] === END_OF_IMAGE;
    if (isOver) kept.add(bytes.subarray(at, at + 2));
    // A truncated file is shown as far as it goes.
    if (isOver || at === bytes.length) return { bytes: kept.whole(), isSideways };
  }
  return null;
}

/** Segments that decoders know: frames and their tables, the scan, and everything in between. */
const isKnown = (marker: number): boolean =>
  (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8) || (marker >= START_OF_SCAN && marker <= 0xdd);

function isShown(marker: number, segment: Uint8Array): boolean {
  if (!isApplication(marker)) return marker !== COMMENT;
  const name = VISIBLE_SEGMENTS[marker];
  return name !== undefined && String.fromCharCode(...segment.subarray(4, 4 + name.length)) === name;
}

const isApplication = (marker: number): boolean => marker >= 0xe0 && marker <= 0xef;

/** Returns the offset of the next marker. Within a scan, 0xff is followed by 0 or by a restart marker (0xd0 to 0xd7). */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(MARKER, from); at >= 0; at = bytes.indexOf(MARKER, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== MARKER && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
}

// EXIF orientation: how the camera was held, and so how a browser rotates the photo.

const EXIF_HEADER = "Exif\0\0";
/** The marker and the length of a segment, in bytes. */
const SEGMENT_HEADER = 4;
const TAG = 0x0112;
const UNTURNED = 1;

/** Returns the orientation in an EXIF segment, 1 to 8. Defaults to 1. */
function orientationOf(segment: Uint8Array): number {
  const start = SEGMENT_HEADER + EXIF_HEADER.length;
  if (String.fromCharCode(...segment.subarray(SEGMENT_HEADER, start)) !== EXIF_HEADER) return UNTURNED;
  const tiff = segment.subarray(start);
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const isLittle = tiff[0] === 0x49;
  const short = (at: number) => (at + 2 <= tiff.length ? view.getUint16(at, isLittle) : 0);
  const directory = tiff.length >= 8 ? view.getUint32(4, isLittle) : 0;
  // The declared number of entries may not reach past the end.
  const end = Math.min(tiff.length, directory + 2 + short(directory) * 12);
  for (let at = directory + 2; at < end; at += 12) {
    const value = short(at) === TAG ? short(at + 8) : 0;
    if (value >= 1 && value <= 8) return value;
  }
  return UNTURNED;
}

/** Returns an EXIF segment that holds only the orientation, or nothing for the default orientation. */
function orientationSegment(orientation: number): Uint8Array[] {
  if (orientation === UNTURNED) return [];
  const header = [...EXIF_HEADER].map((character) => character.charCodeAt(0));
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0];
  return [Uint8Array.from([0xff, 0xe1, 0, 2 + header.length + tiff.length, ...header, ...tiff])];
}
