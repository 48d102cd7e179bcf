import { randomOf } from "../../random.ts";
import { sampleRate, wav } from "./wav.ts";

const frames = sampleRate * 8;

/** Two fog horns answer each other over the hiss of the sea. */
export const harbourHorns = () => {
  const random = randomOf(4);
  const horn = (at: number, start: number, hertz: number) => {
    const seconds = at / sampleRate - start;
    if (seconds < 0 || seconds > 2.5) return 0;
    const swell = Math.min(1, seconds / 0.4, (2.5 - seconds) / 1.2);
    const tone = 2 * Math.PI * hertz * seconds;
    return 0.3 * swell * (Math.sin(tone) + 0.4 * Math.sin(2 * tone) + 0.2 * Math.sin(3 * tone));
  };
  let sea = 0;
  const sound = Float32Array.from({ length: frames }, (_, at) => {
    sea += 0.02 * (random() * 2 - 1 - sea);
    return sea * (1 + 0.5 * Math.sin(at / sampleRate)) + horn(at, 0.5, 87) + 0.6 * horn(at, 4.4, 110);
  });
  return wav(sound);
};
