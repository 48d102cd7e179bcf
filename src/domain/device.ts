/** Names of browsers and systems in a User-Agent, the most specific first: Edge also calls itself Chrome. */
const BROWSERS = { Edge: /Edg/, Opera: /OPR/, Firefox: /Firefox|FxiOS/, Chrome: /Chrome|CriOS/, Safari: /Safari/ };
const SYSTEMS = { Android: /Android/, iOS: /iPhone|iPad/, Windows: /Windows/, macOS: /Mac OS/, Linux: /Linux/ };

/** A readable name of a User-Agent, such as "Firefox on Linux". Null for uncommon browsers. */
export function deviceOf(userAgent: string): string | null {
  const browser = nameIn(BROWSERS, userAgent);
  const system = nameIn(SYSTEMS, userAgent);
  return browser && system ? `${browser} on ${system}` : null;
}

const nameIn = (names: Record<string, RegExp>, text: string): string | undefined =>
  Object.entries(names).find(([, pattern]) => pattern.test(text))?.[0];
