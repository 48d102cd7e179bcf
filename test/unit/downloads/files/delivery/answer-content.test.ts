import fc from "fast-check";
import { expect, it } from "vitest";
import { ApiError } from "../../../../../src/domain/errors.ts";
import { requestedRange } from "../../../../../src/downloads/files/delivery/answer-content.ts";
import { isNotModified } from "../../../../../src/platform/http/version.ts";

const ETAG = '"abc"';

const asked = (range: string, size: number, condition?: string) =>
  requestedRange(new Headers({ Range: range, ...(condition && { "If-Range": condition }) }), size, ETAG);

/** The bytes that a response would contain, or its error. */
function answered(range: string, content: number[], condition?: string): number[] | 416 {
  try {
    const part = asked(range, content.length, condition);
    return part ? content.slice(part.start, part.end + 1) : content;
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 416, headers: { "Content-Range": `bytes */${content.length}` } });
    return 416;
  }
}

const aFileOf = (size: number) => Array.from({ length: size }, (_, i) => i);
const size = fc.integer({ min: 1, max: 50 });
const place = fc.integer({ min: 0, max: 70 });

it("is the slice from the first to the last byte, cut off at the end; a last before the first asks for nothing", () => {
  fc.assert(
    fc.property(size, place, place, (length, from, to) => {
      const content = aFileOf(length);
      const slice = content.slice(from, to + 1);
      const expected = from > to ? content : slice.length > 0 ? slice : 416;
      expect(answered(`bytes=${from}-${to}`, content)).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

it("is the slice from a byte to the end", () => {
  fc.assert(
    fc.property(size, place, (length, from) => {
      const content = aFileOf(length);
      const slice = content.slice(from);
      expect(answered(`bytes=${from}-`, content)).toEqual(slice.length > 0 ? slice : 416);
    }),
  );
});

it("is the last bytes, or all if there are fewer", () => {
  fc.assert(
    fc.property(size, place, (length, last) => {
      const content = aFileOf(length);
      expect(answered(`bytes=-${last}`, content)).toEqual(last > 0 ? content.slice(-last) : 416);
    }),
  );
});

it("lies within the file, whatever is requested", () => {
  const part = fc.oneof(
    place.map(String),
    fc.constantFrom("", "-", ",", " ", "a", "9".repeat(30), "1e3", "+1", "bytes="),
  );
  fc.assert(
    fc.property(size, fc.array(part, { maxLength: 6 }), (length, parts) => {
      const content = aFileOf(length);
      const bytes = answered(`bytes=${parts.join("")}`, content);
      if (bytes !== 416) expect(content.join().includes(bytes.join())).toBe(true);
    }),
    { numRuns: 500 },
  );
});

it("is the whole file if If-Range names other content", () => {
  fc.assert(
    fc.property(
      size,
      place,
      fc.constantFrom('"abd"', 'W/"abc"', "abc", "Wed, 21 Oct 2015 07:28:00 GMT"),
      (length, from, tag) => {
        expect(asked(`bytes=${from}-`, length, tag)).toBeNull();
      },
    ),
  );
  expect(asked("bytes=1-", 10, ETAG)).toEqual({ start: 1, end: 9 });
});

it("is the whole file without Range", () => {
  expect(requestedRange(new Headers(), 10, ETAG)).toBeNull();
  expect(requestedRange(new Headers({ "If-Range": ETAG }), 10, ETAG)).toBeNull();
});

it.each([
  ['"abc"', true],
  ['W/"abc"', true],
  ['"x", "abc"', true],
  ['"x","abc" , "y"', true],
  ["*", true],
  ['"abcd"', false],
  ["abc", false],
  ["", false],
])("treats If-None-Match: %s as known content: %s", (known, expected) => {
  expect(isNotModified(new Headers({ "If-None-Match": known }), ETAG)).toBe(expected);
});
