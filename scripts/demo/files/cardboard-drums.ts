import { shopName } from "../catalogue.ts";
import { text } from "../formats/text.ts";
import { sampleRate, wav } from "../formats/wav.ts";
import { zip } from "../formats/zip.ts";
import { randomFrom } from "./random.ts";

type Drum = {
  name: string;
  seconds: number;
  /** Frequencies at which the tone starts and ends. */
  hertz: [number, number];
  tone: number;
  noise: number;
  /** From dull (near 0) to bright (1). */
  brightness: number;
};

const drums: Drum[] = [
  { name: "kick", seconds: 0.5, hertz: [150, 48], tone: 0.9, noise: 0.12, brightness: 0.08 },
  { name: "snare", seconds: 0.35, hertz: [230, 170], tone: 0.4, noise: 0.6, brightness: 0.45 },
  { name: "hat", seconds: 0.16, hertz: [5_200, 5_000], tone: 0.05, noise: 0.5, brightness: 1 },
  { name: "rim", seconds: 0.12, hertz: [820, 760], tone: 0.6, noise: 0.25, brightness: 0.7 },
  { name: "tom", seconds: 0.6, hertz: [190, 92], tone: 0.8, noise: 0.1, brightness: 0.15 },
];

const strike = ({ seconds, hertz: [from, to], tone, noise, brightness }: Drum, seed: number) => {
  const random = randomFrom(seed);
  const samples = new Float32Array(Math.round(seconds * sampleRate));
  let phase = 0;
  let rustle = 0;
  samples.forEach((_, at) => {
    const elapsed = at / samples.length;
    phase += (2 * Math.PI * (to + (from - to) * Math.exp(-12 * elapsed))) / sampleRate;
    rustle += brightness * (random() * 2 - 1 - rustle);
    const fade = (1 - elapsed) ** 2;
    samples[at] =
      Math.sin(phase) * tone * fade * Math.exp(-3 * elapsed) + rustle * noise * fade * Math.exp(-6 * elapsed);
  });
  return samples;
};

export const cardboardDrums = () =>
  zip([
    ...drums.map((drum, index) => ({ name: `cardboard-drums/${drum.name}.wav`, bytes: wav(strike(drum, index + 10)) })),
    {
      name: "cardboard-drums/read-me.txt",
      bytes: text(`${shopName}: Cardboard Drums`, "", "Mono, 16-bit, 44.1 kHz. Hit them harder than you think."),
    },
  ]);
