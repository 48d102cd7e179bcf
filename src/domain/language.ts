/** Languages of e-mails to buyers (ISO 639-1). */
export const languages = ["en", "de", "fr", "es"] as const;
export type Language = (typeof languages)[number];

export const languageNames: Record<Language, string> = {
  en: "English",
  de: "German",
  fr: "French",
  es: "Spanish",
};

/** Maximum characters of a header that are read. */
const LONGEST = 200;

/**
 * The language that the reader of a page prefers among those of e-mails, by `Accept-Language` (RFC 9110, section 12.5.4).
 * Null if the header names none of them.
 */
export function preferredLanguage(header: string | null): Language | null {
  const ranges = (header ?? "").slice(0, LONGEST).toLowerCase().split(",");
  const [preferred] = ranges
    .map((range) => {
      const [tag = "", quality = "1"] = range.trim().split(/\s*;\s*q=/);
      return { language: languages.find((language) => language === tag.split("-")[0]), quality: Number(quality) };
    })
    .filter(({ language, quality }) => language !== undefined && quality > 0)
    .toSorted((one, other) => other.quality - one.quality);
  return preferred?.language ?? null;
}
