export const text = (...lines: string[]): Uint8Array => new TextEncoder().encode(`${lines.join("\n")}\n`);
