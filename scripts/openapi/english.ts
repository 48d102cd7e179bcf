/** Openings that leave a text without a subject, and words that must never appear in texts. */
const PATTERNS = [
  /^(Of|What|Who|Whom|Whose|Whoever|Whether|Those|That) /,
  /^(Null is|Instead:|In either case|And before|Not |For administrators)/,
  /\bundefined\b/,
  /\b(tells? (what|whether|how)|is there for|so that who|whoever)\b/,
];

/** The descriptions and summaries of a document that match one of the patterns above. */
export function unplainTexts(document: unknown): string[] {
  if (typeof document !== "object" || document === null) return [];
  return Object.entries(document).flatMap(([name, value]) => {
    const isText = typeof value === "string" && (name === "description" || name === "summary");
    if (!isText) return unplainTexts(value);
    return PATTERNS.some((pattern) => pattern.test(value)) ? [value] : [];
  });
}
