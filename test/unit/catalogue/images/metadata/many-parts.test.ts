import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { readImage } from "../../../../../src/catalogue/images/formats.ts";
import { boxesIn } from "../../../../../src/catalogue/images/metadata/avif.ts";
import { ascii, bytes } from "../../../../support/image-bytes.ts";

const LENGTH = 9_900_000;

/** A file of ten megabytes that repeats one part. */
function aFile(beginning: Uint8Array, part: Uint8Array, end: Uint8Array): Uint8Array {
  const file = new Uint8Array(LENGTH);
  file.set(beginning);
  let at = beginning.length;
  for (; at + part.length + end.length <= LENGTH; at += part.length) file.set(part, at);
  file.set(end, at);
  return file.subarray(0, at + end.length);
}

const u32 = (value: number) => [value >>> 24, value >>> 16, value >>> 8, value].map((byte) => byte & 0xff);
const chunk = (name: string, ...data: number[]) => bytes(...u32(data.length), ascii(name), ...data, 0, 0, 0, 0);

const frame = bytes(0xff, 0xc0, 0, 11, 8, 0, 4, 0, 3, 1, 1, 0x11, 0);
const scan = bytes(0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 1, 0xff, 0xd9);
const many = {
  gif: aFile(bytes(ascii("GIF89a"), 3, 0, 4, 0, 0, 0, 0), bytes(0x21, 0xf9, 0), bytes(0x3b)),
  png: aFile(
    bytes(0x89, ascii("PNG\r\n\x1a\n"), chunk("IHDR", 0, 0, 0, 3, 0, 0, 0, 4, 8, 6, 0, 0, 0)),
    bytes(chunk("IDAT"), chunk("tEXt")),
    chunk("IEND"),
  ),
  jpeg: aFile(bytes(0xff, 0xd8, frame), bytes(0xff, 0xdb, 0, 2), scan),
};
/** Reads an image in a thread with little memory. */
async function readWithin(megabytes: number, file: Uint8Array): Promise<unknown> {
  const formats = new URL("../../../../../src/catalogue/images/formats.ts", import.meta.url).href;
  const script = `
    const { parentPort, workerData } = require("node:worker_threads");
    import(${JSON.stringify(formats)}).then(({ readImage }) => parentPort.postMessage(readImage(workerData).bytes.length));`;
  const resourceLimits = { maxOldGenerationSizeMb: megabytes };
  const thread = new Worker(script, { eval: true, workerData: file, resourceLimits });
  return new Promise((resolve) => thread.once("message", resolve).once("error", resolve));
}

describe("an image of millions of parts", () => {
  it.each(Object.entries(many))("is read in little memory: %s", async (_, file) => {
    expect(await readWithin(48, file)).toEqual(expect.any(Number));
  });

  it("is refused if it consists of boxes", () => {
    const box = bytes(...u32(8), ascii("free"));
    expect(boxesIn(aFile(box, box, box), 0, 80_000)).toHaveLength(10_000);
    expect(boxesIn(aFile(box, box, box), 0, 80_008)).toBeNull();
  });

  it("is not searched for content that a part declares but lacks", () => {
    const exif = bytes(0xff, 0xe1, 0, 26, ascii("Exif\0\0MM"), 0, 42, 0, 0, 0, 8, 0xff, 0xff, ...Array(8).fill(0));
    expect(readImage(aFile(bytes(0xff, 0xd8, frame), exif, scan))).toMatchObject({ width: 3, height: 4 });
  });
});
