/** Characters of scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** Characters that change the direction of the text around them. */
const CONTROLS = /[\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/**
 * Isolates a text written from right to left, so that it does not reorder the words and numbers around it: Unicode's
 * FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE (UAX #9), which work in subjects and plain text too. The text's own
 * controls could end the isolation.
 */
export function isolate(text: string): string {
  const plain = text.replaceAll(CONTROLS, "");
  return RIGHT_TO_LEFT.test(plain) ? `\u2068${plain}\u2069` : plain;
}

/** Isolates every text of a template's parameters, except addresses of pages. */
export function isolateTexts(value: unknown): unknown {
  if (typeof value === "string") return /^https?:/.test(value) ? value : isolate(value);
  if (Array.isArray(value)) return value.map(isolateTexts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, isolateTexts(each)]));
}
