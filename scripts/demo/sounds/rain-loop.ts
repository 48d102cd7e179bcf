import { randomOf } from "../../random.ts";
import { sampleRate, wav } from "./wav.ts";

const seconds = 48;
const frames = seconds * sampleRate;
const blend = sampleRate;
const dropsPerSecond = 45;

/** Hiss between two one-pole filters. Its end blends into its start, so that it loops without a gap. */
const hiss = (seed: number) => {
  const random = randomOf(seed);
  const bed = new Float32Array(frames);
  let low = 0;
  let rumble = 0;
  for (let at = 0; at < frames + blend; at++) {
    low += 0.35 * (random() * 2 - 1 - low);
    rumble += 0.02 * (low - rumble);
    const sample = (low - rumble) * 0.22;
    if (at < frames) bed[at] = at < blend ? sample * Math.sqrt(at / blend) : sample;
    else bed[at - frames] = (bed[at - frames] ?? 0) + sample * Math.sqrt(1 - (at - frames) / blend);
  }
  return bed;
};

/** A drop rings and fades within a few hundredths of a second. One near the end continues at the start. */
const addDrop = (channel: Float32Array, start: number, hertz: number, gain: number) => {
  const length = Math.round(sampleRate * 0.03);
  const turn = 2 * Math.cos((2 * Math.PI * hertz) / sampleRate);
  let previous = 0;
  let current = Math.sin((2 * Math.PI * hertz) / sampleRate) * gain;
  for (let step = 0; step < length; step++) {
    const at = (start + step) % frames;
    channel[at] = (channel[at] ?? 0) + current * (1 - step / length) ** 3;
    [previous, current] = [current, turn * current - previous];
  }
};

export const rainLoop = () => {
  const left = hiss(1);
  const right = hiss(2);
  const random = randomOf(3);
  for (let drop = 0; drop < seconds * dropsPerSecond; drop++) {
    const start = Math.floor(random() * frames);
    const hertz = 700 + 3_600 * random() ** 2;
    const gain = 0.02 + 0.2 * random() ** 4;
    const side = random();
    addDrop(left, start, hertz, gain * Math.sqrt(1 - side));
    addDrop(right, start + Math.round((side - 0.5) * 20) + frames, hertz, gain * Math.sqrt(side));
  }
  return wav(left, right);
};
