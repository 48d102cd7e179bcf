export const code = (text: string): string => `\`${text.replaceAll("|", "\\|")}\``;

export const cell = (parts: readonly string[]): string => parts.join(", ") || "–";

export const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
