import { filetypename } from "magic-bytes.js";
import * as z from "zod";
import { badRequest, fieldError } from "../../../domain/errors.ts";

/** How many bytes of a file's beginning are inspected. */
export const SIGNATURE_BYTES = 4096;

const UNKNOWN = "application/octet-stream";

/**
 * Programs send the type that their system maps the extension to, which is often wrong for documents. A form part without a
 * type defaults to text/plain.
 */
const RELIABLE = /^(image|audio|video|font|text(?!\/plain$))\/|^application\/(pdf|zip|gzip)$/;

/** Returns the file kind that a name's extension indicates. */
export const kindByName = (fileName: string): FileKind | undefined => {
  const extension = extensionOf(fileName);
  return fileKinds.find(({ extensions }) => extensions.includes(extension));
};

/**
 * Returns a file's type by its name, if its first bytes confirm it. The declared type is never trusted: like the name, it is
 * refused if the content is something else.
 */
export function contentType(head: Uint8Array, fileName: string, declaredType: string): string {
  const found = contentOf(head);
  const named = kindByName(fileName);
  if (named && !fits(named, found)) throw contradiction(`is named .${extensionOf(fileName)}`, found);
  const declared = RELIABLE.test(declaredType) ? fileKinds.find(({ mime }) => mime === declaredType) : undefined;
  if (declared && !fits(declared, found)) throw contradiction(`is sent as ${declaredType}`, found);
  return named?.mime ?? UNKNOWN;
}

/** The type that the bytes of a file are served with. */
export const servedType = (mimeType: string): string =>
  fileKinds.some(({ mime, active }) => active && mime === mimeType) ? UNKNOWN : mimeType;

const contradiction = (declared: string, [found]: readonly string[]) =>
  badRequest(
    fieldError(
      "file",
      "content_mismatch",
      `${declared}, but its content is ${found ? `of the type ${found}` : "something else"}`,
    ),
  );

function fits({ content, loose }: FileKind, found: readonly string[]): boolean {
  return found.includes(content) || (loose === true && found.length === 0);
}

/** Signatures of one or two bytes, which match many unrelated files. */
const TOO_SHORT = ["pic", "pif", "sea", "ytr", "eot", "tda2", "class"];

/** Returns the possible contents for the first bytes, likeliest first. Empty if nothing is recognised. */
function contentOf(head: Uint8Array): string[] {
  const known = filetypename(head)
    .filter((name) => !TOO_SHORT.includes(name))
    .map((name) => (name === "tiff" ? "tif" : name));
  return looksLikeText(head, known.length === 0 ? STRAY_CONTROLS : 0) ? [...known, "text"] : known;
}

/** Maximum share of control characters in a text. Programs and pictures have several times as many. */
const STRAY_CONTROLS = 0.03;

/** Accepts a byte order mark, or few control characters other than those common in texts. No encoding needs more. */
function looksLikeText(head: Uint8Array, stray: number): boolean {
  const [first, second] = head;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  const controls = head.filter((byte) => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte));
  return controls.length <= head.length * stray;
}

/** Maximum file name length on common file systems. */
const MAX_BYTES = 255;

/** Reserved device names of Windows, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Characters that change the text direction, so that "exe.gpj" reads as "jpg.exe". */
const TURNING = /\p{Bidi_Control}/u;

/** A file name, not a path, that is valid on every system. */
export const FileName = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .refine((name) => new TextEncoder().encode(name).length <= MAX_BYTES, `must have at most ${MAX_BYTES} bytes`)
  .refine((name) => !/[/\\]/.test(name), "must be a name without a path")
  .refine((name) => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(name), "must not contain control characters")
  .refine((name) => !TURNING.test(name), "must not contain characters that change the writing direction")
  .refine((name) => !/^\.|\.$/.test(name), "must not begin or end with a dot")
  .refine((name) => !DEVICE.test(name), "is a device name on some systems");

/** Returns the extension in lower case: "pdf" for "guide.PDF". Empty if there is none. */
export const extensionOf = (fileName: string): string => /\.([^.]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? "";

/** A known kind of file: its names, and how its content is recognised. */
type FileKind = {
  mime: string;
  extensions: readonly string[];
  /** The name that magic-bytes.js gives to this content. "text" is anything that reads as text. */
  content: string;
  /** Browsers execute this content or take instructions from it, so it is served as untyped bytes. */
  active?: true;
  /** Some files of this kind have no signature, so the content only must not be recognised as another kind. */
  loose?: true;
};

const kind = (mime: string, content: string, ...extensions: string[]): FileKind => ({ mime, extensions, content });

const OFFICE = "application/vnd.openxmlformats-officedocument";
const OPEN_DOCUMENT = "application/vnd.oasis.opendocument";

/** Files of other kinds are stored as application/octet-stream. */
const fileKinds: readonly FileKind[] = [
  kind("image/png", "png", "png"),
  kind("image/jpeg", "jpg", "jpg", "jpeg"),
  kind("image/gif", "gif", "gif"),
  kind("image/webp", "webp", "webp"),
  kind("image/avif", "avif", "avif"),
  kind("image/bmp", "bmp", "bmp"),
  kind("image/tiff", "tif", "tif", "tiff"),
  kind("image/x-icon", "ico", "ico"),
  kind("image/vnd.adobe.photoshop", "psd", "psd"),
  kind("application/pdf", "pdf", "pdf"),
  kind("application/rtf", "rtf", "rtf"),
  kind("application/msword", "doc", "doc"),
  kind("application/vnd.ms-excel", "doc", "xls"),
  kind("application/vnd.ms-powerpoint", "doc", "ppt"),
  kind("application/zip", "zip", "zip"),
  kind(`${OFFICE}.wordprocessingml.document`, "zip", "docx"),
  kind(`${OFFICE}.spreadsheetml.sheet`, "zip", "xlsx"),
  kind(`${OFFICE}.presentationml.presentation`, "zip", "pptx"),
  kind(`${OPEN_DOCUMENT}.text`, "zip", "odt"),
  kind(`${OPEN_DOCUMENT}.spreadsheet`, "zip", "ods"),
  kind(`${OPEN_DOCUMENT}.presentation`, "zip", "odp"),
  kind("application/epub+zip", "zip", "epub"),
  kind("application/java-archive", "zip", "jar"),
  kind("application/gzip", "gz", "gz", "tgz"),
  kind("application/x-bzip2", "bz2", "bz2"),
  kind("application/x-7z-compressed", "7z", "7z"),
  kind("application/vnd.rar", "rar", "rar"),
  kind("audio/wav", "wav", "wav"),
  kind("audio/flac", "flac", "flac"),
  kind("audio/ogg", "ogx", "ogg", "oga", "opus"),
  kind("audio/aiff", "aiff", "aif", "aiff"),
  kind("audio/midi", "mid", "mid", "midi"),
  kind("audio/mp4", "mp4", "m4a", "m4b"),
  { ...kind("audio/mpeg", "mp3", "mp3"), loose: true },
  { ...kind("audio/aac", "aac", "aac"), loose: true },
  kind("video/mp4", "mp4", "mp4", "m4v"),
  kind("video/webm", "mkv", "webm"),
  kind("video/x-matroska", "mkv", "mkv"),
  kind("video/x-msvideo", "avi", "avi"),
  { ...kind("video/quicktime", "mov", "mov"), loose: true },
  kind("font/ttf", "ttf", "ttf"),
  kind("font/otf", "otf", "otf"),
  kind("font/woff", "woff", "woff"),
  kind("font/woff2", "woff2", "woff2"),
  kind("text/plain", "text", "txt", "log"),
  kind("text/markdown", "text", "md"),
  kind("text/csv", "text", "csv"),
  kind("text/tab-separated-values", "text", "tsv"),
  { ...kind("text/html", "text", "html", "htm"), active: true },
  { ...kind("text/css", "text", "css"), active: true },
  { ...kind("text/javascript", "text", "js", "mjs"), active: true },
  kind("text/calendar", "text", "ics"),
  kind("text/vtt", "text", "vtt"),
  kind("application/json", "text", "json"),
  { ...kind("application/xml", "text", "xml"), active: true },
  { ...kind("image/svg+xml", "text", "svg"), active: true },
];
