import { describe, expect, it } from "vitest";
import { withoutPngMetadata, withoutWebpMetadata } from "../../../../../src/catalogue/images/metadata/chunks.ts";
import { aPng, ascii, bytes, pngChunk } from "../../../../support/image-bytes.ts";

describe("a PNG's metadata", () => {
  const shown = ["gAMA", "tRNS", "acTL"].map((name) => pngChunk(name, ascii("1234")));
  const hidden = ["eXIf", "tEXt", "iTXt", "zTXt", "tIME", "caBX"].map((name) => pngChunk(name, ascii("GPS")));

  it("is removed, and picture data is kept", () => {
    const sent = bytes(aPng({ shade: 1, chunks: [...hidden, ...shown] }), ascii("behind its end"));
    const wanted = aPng({ shade: 1, chunks: shown });
    expect(withoutPngMetadata(sent)).toEqual({ bytes: wanted });
  });

  it("is refused in a picture with an unknown critical chunk", () => {
    expect(withoutPngMetadata(aPng({ chunks: [pngChunk("HIDE", ascii("GPS"))] }))).toBeNull();
  });

  it.each([1, 12, 20])("is refused in a picture that lacks its last %i bytes", (missing) => {
    expect(withoutPngMetadata(aPng().slice(0, -missing))).toBeNull();
  });
});

describe("a WebP's metadata", () => {
  const chunk = (name: string, data: Uint8Array) =>
    bytes(ascii(name), data.length, 0, 0, 0, data, ...(data.length % 2 ? [0] : []));
  const webp = (...chunks: Uint8Array[]) => {
    const content = bytes(ascii("WEBP"), ...chunks);
    return bytes(ascii("RIFF"), content.length, 0, 0, 0, content);
  };
  const features = (flags: number) => chunk("VP8X", bytes(flags, ...Array(9).fill(0)));
  const picture = chunk("VP8 ", ascii("odd"));
  const [exif, xmp, other] = [chunk("EXIF", ascii("GPS")), chunk("XMP ", ascii("GPS!")), chunk("MADE", ascii("UP"))];

  it("is removed with its flags, and picture data is kept", () => {
    const profile = chunk("ICCP", ascii("p"));
    const sent = bytes(webp(features(0b111100), profile, picture, exif, xmp, other), ascii("behind its end"));
    expect(withoutWebpMetadata(sent)).toEqual({ bytes: webp(features(0b110000), profile, picture) });
  });

  it("is not looked for in the flags of a picture without any", () => {
    expect(withoutWebpMetadata(webp(picture))).toEqual({ bytes: webp(picture) });
  });

  it("is refused in a truncated picture", () => {
    expect(withoutWebpMetadata(webp(picture).slice(0, -1))).toBeNull();
    expect(withoutWebpMetadata(webp(bytes(ascii("VP8 "), 9, 0, 0, 0, 1)))).toBeNull();
  });
});
