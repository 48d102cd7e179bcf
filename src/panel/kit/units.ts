/** Formats bytes: 8,400,000 is "8.4 MB". */
export function formatBytes(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB"];
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  return `${Number((bytes / 1000 ** power).toPrecision(3))} ${units[power]}`;
}
