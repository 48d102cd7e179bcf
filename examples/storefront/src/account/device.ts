/** Names of browsers and systems in a User-Agent, the most specific first: Edge also calls itself Chrome. */
const browsers = { Edge: /Edg/, Opera: /OPR/, Firefox: /Firefox|FxiOS/, Chrome: /Chrome|CriOS/, Safari: /Safari/ };
const systems = { Android: /Android/, iOS: /iPhone|iPad/, Windows: /Windows/, macOS: /Mac OS/, Linux: /Linux/ };

/** A readable name of a User-Agent, such as "Firefox on Linux". */
export function deviceOf(userAgent: string | null): string {
  const [browser, system] = [browsers, systems].map((names) => nameIn(names, userAgent ?? ""));
  return [browser, system].filter(Boolean).join(" on ") || "Unknown device";
}

const nameIn = (names: Record<string, RegExp>, text: string): string | undefined =>
  Object.entries(names).find(([, pattern]) => pattern.test(text))?.[0];
