import * as z from "zod";

/** What file systems take for a name. */
const MAX_BYTES = 255;

/** Reserved device names of Windows, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Characters that change the direction of what follows, so that "exe.gpj" reads as "jpg.exe". */
const TURNING = /\p{Bidi_Control}/u;

/** A name to save a file under, on any system: one of a file, not a path. */
export const FileName = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .refine((name) => new TextEncoder().encode(name).length <= MAX_BYTES, `must have at most ${MAX_BYTES} bytes`)
  .refine((name) => !/[/\\]/.test(name), "must be a name without a path")
  .refine((name) => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(name), "must not contain control characters")
  .refine((name) => !TURNING.test(name), "must not contain characters that turn the direction of writing")
  .refine((name) => !/^\.|\.$/.test(name), "must not begin or end with a dot")
  .refine((name) => !DEVICE.test(name), "is a name that some systems keep for devices");

/** "guide.PDF" has the extension "pdf"; without one it is empty. */
export const extensionOf = (fileName: string): string => /\.([^.]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? "";
