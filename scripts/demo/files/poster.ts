import { png } from "../formats/png.ts";

type Rgb = readonly [number, number, number];

const width = 1200;
const height = 800;
const sun = { x: 820, y: 300, radius: 130 };
const sky: [Rgb, Rgb] = [
  [34, 74, 92],
  [244, 201, 150],
];
const sunColour: Rgb = [250, 236, 212];

/** From the far mountains to the near ones. */
const hills: { base: number; swell: number; stretch: number; shift: number; colour: Rgb }[] = [
  { base: 470, swell: 46, stretch: 210, shift: 0.4, colour: [201, 139, 112] },
  { base: 540, swell: 54, stretch: 260, shift: 2.1, colour: [160, 92, 82] },
  { base: 620, swell: 48, stretch: 190, shift: 4.4, colour: [92, 68, 78] },
  { base: 700, swell: 40, stretch: 300, shift: 1.2, colour: [34, 51, 59] },
];

const crest = ({ base, swell, stretch, shift }: (typeof hills)[number], x: number) =>
  base - swell * (Math.sin(x / stretch + shift) + 0.4 * Math.sin((x / stretch) * 2.3 + shift * 3));

const mix = (from: Rgb, to: Rgb, share: number): Rgb => {
  const channel = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * share);
  return [channel(0), channel(1), channel(2)];
};

const between = (value: number) => Math.max(0, Math.min(1, value));

export const poster = () => {
  const ranges = hills.map((hill) => ({
    colour: hill.colour,
    crests: Float64Array.from({ length: width }, (_, x) => crest(hill, x)),
  }));
  return png(width, height, (x, y) => {
    let colour = mix(sky[0], sky[1], between(y / 520) ** 1.2);
    const distance = Math.hypot(x - sun.x, y - sun.y);
    colour = mix(colour, sunColour, between((1 - distance / 420) * 0.35));
    colour = mix(colour, sunColour, between(sun.radius - distance + 0.5));
    for (const range of ranges) {
      const depth = y - (range.crests[x] ?? height);
      if (depth > -1) colour = mix(colour, mix(range.colour, sky[1], 0.25 * between(depth / 220)), between(depth + 1));
    }
    return colour;
  });
};
