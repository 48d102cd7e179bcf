import { describe, expect, it } from "vitest";
import { withoutJpegMetadata } from "../../../../../src/catalogue/images/metadata/jpeg.ts";
import { ascii, bytes } from "../../../../support/image-bytes.ts";

const START = bytes(0xff, 0xd8);
const END = bytes(0xff, 0xd9);

function segment(marker: number, ...parts: (number | Uint8Array)[]): Uint8Array {
  const data = bytes(...parts);
  return bytes(0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 255, data);
}

const JFIF = segment(0xe0, ascii("JFIF\0"), 1, 1, 0, 0, 1, 0, 1, 0, 0);
const PROFILE = segment(0xe2, ascii("ICC_PROFILE\0"), 1, 1, 7);
const ADOBE = segment(0xee, ascii("Adobe"), 0, 100, 0, 0, 0, 0, 1);
const TABLE = segment(0xdb, 0, ...Array(64).fill(9));
const FRAME = segment(0xc0, 8, 0, 6, 0, 8, 1, 1, 0x11, 0);
/** A scan whose image data contains 0xff, restart markers and bytes that look like marker padding. */
const SCAN = bytes(segment(0xda, 1, 1, 0, 0, 63, 0), 1, 0xff, 0, 2, 0xff, 0xd0, 3, 0xff, 0xd7, 4);

/** An EXIF segment with an orientation, other tags and the location. */
function exif(orientation: number, little: boolean, kept = false): Uint8Array {
  const short = (value: number) => (little ? [value & 255, value >> 8] : [value >> 8, value & 255]);
  const long = (value: number) => (little ? [...short(value), 0, 0] : [0, 0, ...short(value)]);
  const entry = (tag: number, value: number) => [...short(tag), ...short(3), ...long(1), ...short(value), 0, 0];
  const others = kept ? [] : [entry(0x010f, 1), entry(0x8825, 2)];
  const entries = [...others, entry(0x0112, orientation)];
  return segment(
    0xe1,
    ascii("Exif\0\0"),
    ...[...(little ? ascii("II") : ascii("MM")), ...short(42), ...long(8), ...short(entries.length), ...entries.flat()],
    ...long(0),
    kept ? new Uint8Array() : ascii("51.5N 0.1W"),
  );
}

const HIDDEN = [
  segment(0xe1, ascii("http://ns.adobe.com/xap/1.0/\0 exif:GPSLatitude")),
  segment(0xed, ascii("Photoshop 3.0\0 a city")),
  segment(0xe2, ascii("MPF\0 another picture")),
  segment(0xe0, ascii("JFXX\0 a thumbnail")),
  segment(0xfe, ascii("a comment")),
  segment(0xe3, ascii("whatever")),
];

describe("a JPEG's metadata", () => {
  it("is removed, and picture data is kept", () => {
    const sent = bytes(START, JFIF, exif(1, true), ...HIDDEN, PROFILE, ADOBE, TABLE, FRAME, SCAN, END, ascii("a film"));
    const wanted = bytes(START, JFIF, PROFILE, ADOBE, TABLE, FRAME, SCAN, END);
    expect(withoutJpegMetadata(sent)).toEqual({ bytes: wanted, isSideways: false });
    expect(withoutJpegMetadata(wanted)?.bytes).toEqual(wanted);
  });

  it.each([2, 3, 4, 5, 6, 7, 8])("keeps the orientation %i", (orientation) => {
    const wanted = bytes(START, exif(orientation, false, true), TABLE, FRAME, SCAN, END);
    for (const little of [true, false]) {
      const sent = bytes(START, exif(orientation, little), TABLE, FRAME, SCAN, END);
      expect(withoutJpegMetadata(sent)).toEqual({ bytes: wanted, isSideways: orientation >= 5 });
    }
  });

  it("adds no orientation if there is none", () => {
    for (const none of [exif(9, true), exif(0, false), segment(0xe1, ascii("Exif\0\0II")), segment(0xe1)]) {
      expect(withoutJpegMetadata(bytes(START, none, FRAME, SCAN, END))?.bytes).toEqual(bytes(START, FRAME, SCAN, END));
    }
  });

  it("is removed between the scans of a progressive picture", () => {
    const sent = bytes(START, FRAME, SCAN, HIDDEN[4] ?? 0, TABLE, SCAN, END);
    expect(withoutJpegMetadata(sent)?.bytes).toEqual(bytes(START, FRAME, SCAN, TABLE, SCAN, END));
  });

  it("is removed from a truncated picture, which is shown as far as it goes", () => {
    const sent = bytes(START, exif(1, true), FRAME, SCAN);
    expect(withoutJpegMetadata(sent)?.bytes).toEqual(bytes(START, FRAME, SCAN));
  });

  it("skips padding before a marker", () => {
    const sent = bytes(START, 0xff, 0xff, FRAME, 0xff, 0xff, SCAN, 0xff, END);
    expect(withoutJpegMetadata(sent)?.bytes).toEqual(bytes(START, FRAME, SCAN, 0xff, END));
  });

  it.each([
    ["without a scan", bytes(START, FRAME, END)],
    ["with a segment that is longer than it", bytes(START, 0xff, 0xe1, 1, 0, 1, 2)],
    ["with a segment that is shorter than its length", bytes(START, 0xff, 0xe1, 0, 1, SCAN, END)],
    ["with something between its segments", bytes(START, FRAME, 1, 2, 3, SCAN, END)],
  ])("is refused in bytes %s", (_, sent) => {
    expect(withoutJpegMetadata(sent)).toBeNull();
  });
});

it.each([0x02, 0xc8, 0xf0, 0xfd])(
  "is refused in a picture with a segment of the marker %i, which browsers do not know",
  (marker) => {
    expect(withoutJpegMetadata(bytes(START, JFIF, segment(marker, ascii("GPS")), TABLE, FRAME, SCAN, END))).toBeNull();
  },
);
