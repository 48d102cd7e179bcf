import { expect, it } from "vitest";
import { withoutGifMetadata } from "../../../../../src/catalogue/images/metadata/gif.ts";
import { ascii, bytes } from "../../../../support/image-bytes.ts";

/** A 6 by 4 pixel image written by cgif, with a loop. */
const real = new Uint8Array(
  Buffer.from("R0lGODlhBgAEAIAAAExpcf8AACH/C05FVFNDQVBFMi4wAwECAAAh+QQFFAAAACwAAAAABgAEAAACBIyPqVcAOw==", "base64"),
);

const [HEADER, LOOP] = [19, 19];
const comment = bytes(0x21, 0xfe, 9, ascii("Goosewing"), 0);
const xmp = bytes(0x21, 0xff, 11, ascii("XMP DataXMP"), 9, ascii("Goosewing"), 0);
const words = bytes(0x21, 0x01, 12, ...Array(12).fill(0), 9, ascii("Goosewing"), 0);

const frames = real.subarray(HEADER + LOOP, -1);
const whole = (...blocks: Uint8Array[]) => bytes(real.subarray(0, HEADER + LOOP), ...blocks, 0x3b);

it("leaves a GIF with pictures and a loop unchanged", () => {
  expect(withoutGifMetadata(real)?.bytes).toEqual(real);
  expect(withoutGifMetadata(whole(frames, frames))?.bytes).toEqual(whole(frames, frames));
});

it("removes comments, texts, application data and trailing bytes", () => {
  const image = bytes(whole(comment, frames, xmp, words, frames, comment), ascii("Goosewing"));
  expect(withoutGifMetadata(image)?.bytes).toEqual(whole(frames, frames));
});

it("keeps a loop's repeat count, and nothing else in its extension", () => {
  const [before, loop] = [real.subarray(0, HEADER), real.subarray(HEADER, HEADER + LOOP - 1)];
  const image = bytes(before, loop, 9, ascii("Goosewing"), 0, frames, 0x3b);
  expect(withoutGifMetadata(image)?.bytes).toEqual(real);
  const other = bytes(before, 0x21, 0xff, 11, ascii("NETSCAPE2.0"), 9, ascii("Goosewing"), 0, frames, 0x3b);
  expect(withoutGifMetadata(other)?.bytes).toEqual(bytes(before, frames, 0x3b));
});

it("refuses truncated files", () => {
  for (let end = 0; end < real.length; end++) expect(withoutGifMetadata(real.subarray(0, end))).toBeNull();
  expect(withoutGifMetadata(whole(bytes(0x99)))).toBeNull();
});
