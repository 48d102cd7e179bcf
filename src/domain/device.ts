/** The names that browsers and systems put into a User-Agent, the most telling first: Edge also calls itself Chrome. */
const BROWSERS = { Edge: /Edg/, Opera: /OPR/, Firefox: /Firefox|FxiOS/, Chrome: /Chrome|CriOS/, Safari: /Safari/ };
const SYSTEMS = { Android: /Android/, iOS: /iPhone|iPad/, Windows: /Windows/, macOS: /Mac OS/, Linux: /Linux/ };

/** What a User-Agent says for people: "Firefox on Linux"; null where it is none of the common browsers. */
export function deviceOf(userAgent: string): string | null {
  const browser = nameIn(BROWSERS, userAgent);
  const system = nameIn(SYSTEMS, userAgent);
  return browser && system ? `${browser} on ${system}` : null;
}

const nameIn = (names: Record<string, RegExp>, text: string): string | undefined =>
  Object.entries(names).find(([, pattern]) => pattern.test(text))?.[0];
