import { text } from "../formats/text.ts";

/** Minutes at 20 °C, and their equivalents at the other temperatures. */
const films = [
  { film: "Grain 100", exposedAt: 100, minutes: { "1+25": 7, "1+50": 11 } },
  { film: "Grain 100", exposedAt: 200, minutes: { "1+25": 9, "1+50": 14 } },
  { film: "Grain 400", exposedAt: 200, minutes: { "1+25": 7.5, "1+50": 12 } },
  { film: "Grain 400", exposedAt: 400, minutes: { "1+25": 9.5, "1+50": 15 } },
  { film: "Grain 400", exposedAt: 800, minutes: { "1+25": 12.5, "1+50": 19.5 } },
  { film: "Grain 400", exposedAt: 1600, minutes: { "1+25": 16, "1+50": 25 } },
];
const factors = { 18: 1.2, 20: 1, 22: 0.84, 24: 0.7 };

/** Rounds to the nearest quarter of a minute. */
const clock = (minutes: number) => {
  const quarters = Math.round(minutes * 4);
  return `${Math.floor(quarters / 4)}:${String((quarters % 4) * 15).padStart(2, "0")}`;
};

export const developingTimes = () => {
  const rows = films.flatMap(({ film, exposedAt, minutes }) =>
    Object.entries(minutes).flatMap(([dilution, base]) =>
      Object.entries(factors).map(([celsius, factor]) =>
        [film, exposedAt, dilution, celsius, clock(base * factor)].join(","),
      ),
    ),
  );
  return text("film,exposed_at_iso,dilution,temperature_c,time", ...rows);
};
