export const code = (text: string): string => `\`${text.replaceAll("|", "\\|")}\``;

export const list = (rows: readonly (readonly [head: string, text: string])[]): string =>
  rows.map(([head, text]) => `- ${head}: ${text}`).join("\n");
