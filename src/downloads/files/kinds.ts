/** A kind of file that we know: how it is called, and how its content is recognised. */
export type FileKind = {
  mime: string;
  extensions: readonly string[];
  /** What magic-bytes.js calls such content; "text" is what reads as a text. */
  content: string;
  /** Browsers run it, or take instructions from it: it is served as bytes of no kind. */
  active?: true;
  /** Some of its files begin with nothing that tells them apart, so they only must not be something else. */
  loose?: true;
};

const kind = (mime: string, content: string, ...extensions: string[]): FileKind => ({ mime, extensions, content });

const OFFICE = "application/vnd.openxmlformats-officedocument";
const OPEN_DOCUMENT = "application/vnd.oasis.opendocument";

/** What is not in this table is kept as application/octet-stream. */
export const kinds: readonly FileKind[] = [
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
