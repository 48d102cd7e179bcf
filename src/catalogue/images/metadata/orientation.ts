// EXIF's orientation: how a camera was held, and so how a browser turns the photograph.

const EXIF_HEADER = "Exif\0\0";
/** Of a segment: its marker and its length. */
const SEGMENT_HEADER = 4;
const TAG = 0x0112;
const UNTURNED = 1;

/** The orientation that an EXIF segment names, 1 to 8; 1 where it names none. */
export function orientationOf(segment: Uint8Array): number {
  const start = SEGMENT_HEADER + EXIF_HEADER.length;
  if (String.fromCharCode(...segment.subarray(SEGMENT_HEADER, start)) !== EXIF_HEADER) return UNTURNED;
  const tiff = segment.subarray(start);
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const isLittle = tiff[0] === 0x49;
  const short = (at: number) => (at + 2 <= tiff.length ? view.getUint16(at, isLittle) : 0);
  const directory = tiff.length >= 8 ? view.getUint32(4, isLittle) : 0;
  // Whatever number of entries it has, none is behind its end.
  const end = Math.min(tiff.length, directory + 2 + short(directory) * 12);
  for (let at = directory + 2; at < end; at += 12) {
    const value = short(at) === TAG ? short(at + 8) : 0;
    if (value >= 1 && value <= 8) return value;
  }
  return UNTURNED;
}

/** An EXIF segment that says nothing else, or none where it would say nothing. */
export function orientationSegment(orientation: number): Uint8Array[] {
  if (orientation === UNTURNED) return [];
  const header = [...EXIF_HEADER].map((character) => character.charCodeAt(0));
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0];
  return [Uint8Array.from([0xff, 0xe1, 0, 2 + header.length + tiff.length, ...header, ...tiff])];
}
