import { text } from "../formats/text.ts";

/** The curve maps inputs to outputs. Warmth is in kelvin relative to the shot. */
const look = (
  name: string,
  [black, middle, white]: [number, number, number],
  saturation: number,
  warmth: number,
  [amount, size]: [number, number],
  shadows: string,
  highlights: string,
) => ({
  name,
  curve: { 0: black, 128: middle, 255: white },
  saturation,
  warmth,
  grain: { amount, size },
  shadows,
  highlights,
});

const colour = [
  look("Harbour Noon", [12, 122, 250], 0.92, 150, [14, 1.1], "#22333b", "#fff4e0"),
  look("Faded Postcard", [34, 136, 236], 0.74, 320, [20, 1.3], "#3a3f5c", "#ffe8c7"),
  look("Wet Asphalt", [6, 112, 244], 0.66, -280, [18, 1.2], "#10252b", "#e4f0f2"),
  look("Late Train", [18, 118, 240], 0.85, -120, [28, 1.5], "#1b2a3f", "#ffd9b0"),
];

const blackAndWhite = [
  look("Grain 100, Straight", [4, 128, 252], 0, 0, [8, 0.8], "#000000", "#ffffff"),
  look("Grain 400, Pushed", [0, 116, 255], 0, 0, [36, 1.7], "#000000", "#ffffff"),
  look("Baryta", [10, 124, 246], 0, 0, [12, 1], "#14110f", "#fffaf2"),
  look("Newsprint", [40, 132, 222], 0, 0, [44, 2], "#2b2b2b", "#efe9dc"),
];

export const filmLooks = () =>
  text(JSON.stringify({ name: "Eight Film Looks", version: 1, colour, blackAndWhite }, null, 2));
