import { expect, it } from "vitest";
import { withoutAvifMetadata } from "../../../../../src/catalogue/images/metadata/avif.ts";
import { ascii, bytes } from "../../../../support/image-bytes.ts";

/** A 12 by 8 pixel image written by libheif, with a copyright and a location in EXIF, and XMP. */
const real = Buffer.from(
  [
    "AAAAHGZ0eXBhdmlmAAAAAG1pZjFhdmlmbWlhZgAAAWFtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAEZpbG9jAAAAAERAAA",
    "MAAQAAAAABhQABAAAAAAAAACEAAgAAAAABpgABAAAAAAAAARwAAwAAAAACwgABAAAAAAAAAEUAAABiaWluZgAAAAAAAwAAABVpbmZlAgAAAAABAABhdjAx",
    "AAAAABVpbmZlAgAAAQACAABFeGlmAAAAACppbmZlAgAAAQADAABtaW1lAGFwcGxpY2F0aW9uL3JkZit4bWwAAAAAAA5waXRtAAAAAAABAAAAVmlwcnAAAA",
    "A4aXBjbwAAAAxhdjFDgSACAAAAABRpc3BlAAAAAAAAAAwAAAAIAAAAEHBpeGkAAAAAAwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAgMAAAAoaXJlZgAAAAAA",
    "AAAOY2RzYwACAAEAAQAAAA5jZHNjAAMAAQABAAABim1kYXQSAAoIOAyvtICGg0gyExxCYuTgABYAALCfzl51iyb7eswAAAAGRXhpZgAASUkqAAgAAAAIAB",
    "IBAwABAAAAAQAAABoBBQABAAAAbgAAABsBBQABAAAAdgAAACgBAwABAAAAAgAAABMCAwABAAAAAQAAAJiCAgAPAAAAfgAAAGmHBAABAAAAjgAAACWIBAAB",
    "AAAA3AAAAAAAAAA4YwAA6AMAADhjAADoAwAAR29vc2V3aW5nIFlhcmQAAAYAAJAHAAQAAAAwMjEwAZEHAAQAAAABAgMAAKAHAAQAAAAwMTAwAaADAAEAAA",
    "D//wAAAqAEAAEAAAAMAAAAA6AEAAEAAAAIAAAAAAAAAAIAAQACAAIAAABOAAAAAgAFAAMAAAD6AAAAAAAAADMAAAABAAAAGwAAAAEAAAAAAAAAAQAAADx4",
    "OnhtcG1ldGEgeG1sbnM6eD0iYWRvYmU6bnM6bWV0YS8iPjxwPkdvb3Nld2luZyBZYXJkPC9wPjwveDp4bXBtZXRhPg==",
  ].join(""),
  "base64",
);

const [SECRET, ZEROS] = ["Goosewing Yard", "\0".repeat(14)];

const uint32 = (value: number) => bytes(value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);
const box = (type: string, ...content: (number | Uint8Array)[]) => {
  const whole = bytes(...content);
  return bytes(uint32(whole.length + 8), ascii(type), whole);
};
const full = (version: number) => bytes(version, 0, 0, 0);

type Place = { method?: number; source?: number; from: number; length: number; version?: number; lengthSize?: number };

/** An AVIF with its picture in `mdat`, and its EXIF at the given place. */
function anAvif({ method = 0, source = 0, from, length, version = 2, lengthSize = 4 }: Place, more: Uint8Array[] = []) {
  const info = (id: number, type: string) =>
    box("infe", full(version), version === 3 ? bytes(0, 0) : bytes(), 0, id, 0, 0, ascii(type), 0);
  const place = (id: number, how: number, data: number, at: number, size: number) =>
    bytes(0, id, 0, how, 0, data, 0, 1, uint32(at), lengthSize ? uint32(size) : bytes());
  const places = [place(1, 0, 0, 24, 4), place(2, method, source, from, length)];
  return bytes(
    box("ftyp", ascii("avif"), uint32(0)),
    box("mdat", ascii("AV1!"), ascii(SECRET)),
    box(
      "meta",
      full(0),
      box("hdlr", full(0)),
      box("iinf", full(0), 0, 2, info(1, "av01"), info(2, "Exif")),
      box("iloc", full(1), 0x40 | lengthSize, 0, 0, 2, ...places),
      box("idat", ascii("-"), ascii(SECRET)),
      box("xml ", full(0), ascii(SECRET)),
    ),
    ...more,
  );
}

const stripped = (image: Uint8Array) => {
  const found = withoutAvifMetadata(image);
  return found && Buffer.from(found.bytes).toString("latin1");
};
const secretsIn = (image: string | null) => image?.split(SECRET).length;

it("clears EXIF and XMP, and moves nothing", () => {
  const before = real.toString("latin1");
  const after = stripped(real) ?? "";
  expect(secretsIn(before)).toBe(3);
  expect(secretsIn(after)).toBe(1);
  expect(after).not.toMatch(/Exif|rdf/);
  expect(after).toHaveLength(before.length);
  const picture = (image: string) => image.slice(image.indexOf("mdat") + 4).slice(0, 20);
  expect(picture(after)).toBe(picture(before));
  for (const kept of ["ftypavif", "av01", "ispe", "pixi", "av1C", "ipma"]) expect(after).toContain(kept);
});

it.each<[string, Place]>([
  ["in the file", { from: 28, length: SECRET.length }],
  ["among the items' data", { method: 1, from: 1, length: SECRET.length }],
  ["in the file, of an id of four bytes", { from: 28, length: SECRET.length, version: 3 }],
])("clears EXIF %s", (_, place) => {
  const image = stripped(anAvif(place)) ?? "";
  expect(secretsIn(image)).toBe(2);
  expect(image).toContain(`AV1!${place.method === 1 ? SECRET : ZEROS}`);
  expect(image).toContain(`-${place.method === 1 ? ZEROS : SECRET}`);
  expect(image).not.toContain("xml ");
});

it.each([
  ["behind the end of the file", { from: 100_000, length: 4 }],
  ["behind the end of the items' data", { method: 1, from: 1, length: 15 }],
  ["in another file", { source: 1, from: 28, length: 4 }],
  ["within another item", { method: 2, from: 0, length: 4 }],
  ["of no length", { from: 28, length: 0 }],
  ["of no known length", { from: 28, length: 0, lengthSize: 0 }],
  ["without a type", { from: 28, length: 4, version: 1 }],
])("refuses metadata %s", (_, place) => {
  expect(stripped(anAvif(place))).toBeNull();
});

it("clears boxes without picture data, at the end and within an animation", () => {
  const tracks = box(
    "moov",
    box("mvhd", ascii("kept")),
    box("trak", box("udta", ascii(SECRET)), box("tkhd", ascii("kept"))),
  );
  const place = { from: 28, length: SECRET.length };
  const image =
    stripped(anAvif(place, [tracks, box("uuid", ascii(SECRET)), box("moov", box("meta", ascii(SECRET)))])) ?? "";
  expect(secretsIn(image)).toBe(2);
  expect(image.split("kept")).toHaveLength(3);
});

it("refuses truncated files", () => {
  for (let end = 0; end < real.length - 1; end += 7) expect(withoutAvifMetadata(real.subarray(0, end))).toBeNull();
  expect(withoutAvifMetadata(box("ftyp", ascii("avif")))).toBeNull();
});
