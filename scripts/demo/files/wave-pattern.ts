import { text } from "../formats/text.ts";

const radius = 60;
const columns = 4;
const rows = 8;
const rings = [1, 0.75, 0.5, 0.25];

/** Overlapping scales, drawn from the top so that each row covers the one above. The pattern repeats on all sides. */
export const wavePattern = () => {
  const width = columns * radius * 2;
  const height = (rows * radius) / 2;
  const scales: string[] = [];
  for (let row = 0; row <= rows + 2; row++) {
    for (let column = 0; column <= columns; column++) {
      const x = (column - (row % 2) / 2) * radius * 2;
      scales.push(`  <use href="#scale" x="${x}" y="${(row * radius) / 2}"/>`);
    }
  }
  return text(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    "  <title>Seigaiha Wave Pattern</title>",
    '  <defs><g id="scale" fill="#f3ebdd" stroke="#22333b" stroke-width="5">',
    ...rings.map((ring) => `    <circle r="${radius * ring - 2.5}"/>`),
    "  </g></defs>",
    `  <rect width="${width}" height="${height}" fill="#f3ebdd"/>`,
    ...scales,
    "</svg>",
  );
};
