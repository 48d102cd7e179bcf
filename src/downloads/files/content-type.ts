import { filetypename } from "magic-bytes.js";
import { badRequest, fieldError } from "../../domain/errors.ts";
import { extensionOf } from "./file-name.ts";
import { type FileKind, kinds } from "./kinds.ts";

/** How much of a file's beginning is looked at. */
export const HEAD_BYTES = 4096;

const UNKNOWN = "application/octet-stream";

/**
 * Programs send the type that their system knows the extension by, which for documents is often another one's; and a part
 * of a form that says nothing says text/plain.
 */
const RELIABLE = /^(image|audio|video|font|text(?!\/plain$))\/|^application\/(pdf|zip|gzip)$/;

/** The kind that a name says. */
export const kindByName = (fileName: string): FileKind | undefined => {
  const extension = extensionOf(fileName);
  return kinds.find(({ extensions }) => extensions.includes(extension));
};

/**
 * The type of a file by its name, as far as its first bytes bear that out; what its sender calls it is never believed,
 * and refused like the name when the content is something else.
 */
export function contentType(head: Uint8Array, fileName: string, declaredType: string): string {
  const found = contentOf(head);
  const named = kindByName(fileName);
  if (named && !fits(named, found)) throw contradiction(`is named .${extensionOf(fileName)}`, found);
  const declared = RELIABLE.test(declaredType) ? kinds.find(({ mime }) => mime === declaredType) : undefined;
  if (declared && !fits(declared, found)) throw contradiction(`is sent as ${declaredType}`, found);
  return named?.mime ?? UNKNOWN;
}

/** The type that the bytes of a file are served with. */
export const servedType = (mimeType: string): string =>
  kinds.some(({ mime, active }) => active && mime === mimeType) ? UNKNOWN : mimeType;

const contradiction = (declared: string, [found]: readonly string[]) =>
  badRequest(
    fieldError(
      "file",
      "content_mismatch",
      `${declared}, but its content is ${found ? `of the kind ${found}` : "something else"}`,
    ),
  );

function fits({ content, loose }: FileKind, found: readonly string[]): boolean {
  return found.includes(content) || (loose === true && found.length === 0);
}

/** Patterns of one byte or two, that fit any number of other files. */
const TOO_SHORT = ["pic", "pif", "sea", "ytr", "eot", "tda2", "class"];

/** What the first bytes may be, the likeliest first; empty when nothing is recognised. */
function contentOf(head: Uint8Array): string[] {
  const known = filetypename(head)
    .filter((name) => !TOO_SHORT.includes(name))
    .map((name) => (name === "tiff" ? "tif" : name));
  return looksLikeText(head, known.length === 0 ? STRAY_CONTROLS : 0) ? [...known, "text"] : known;
}

/** The share of control characters that may have slipped into a text; programs and pictures have several times as many. */
const STRAY_CONTROLS = 0.03;

/** A byte order mark, or hardly any control characters but those of texts: an encoding has no need of them. */
function looksLikeText(head: Uint8Array, stray: number): boolean {
  const [first, second] = head;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  const controls = head.filter((byte) => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte));
  return controls.length <= head.length * stray;
}
