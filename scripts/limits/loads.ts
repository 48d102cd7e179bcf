import type { Place } from "./load.ts";

/** Round trips between home and the regions in milliseconds, home first. */
const regions: [name: string, rttMs: number][] = [
  ["weur", 1],
  ["enam", 85],
  ["wnam", 200],
  ["apac", 210],
  ["sam", 125],
];

/** A load by name: each region's share, and the total as a share of the limit. */
const loads: [name: string, parts: number[], ofLimit: number][] = [
  ["home region, 80 %", [1, 0, 0, 0, 0], 0.8],
  ["one far region, 80 %", [0, 0, 0, 1, 0], 0.8],
  ["two regions, 80 %", [1, 0, 0, 1, 0], 0.8],
  ["five regions, 50 %", [1, 1, 1, 1, 1], 0.5],
  ["five regions, 80 %", [1, 1, 1, 1, 1], 0.8],
  ["five uneven regions, 80 %", [5, 3, 1, 1, 0.2], 0.8],
  ["five regions, 100 %", [1, 1, 1, 1, 1], 1],
  ["two regions, 300 %", [1, 0, 0, 1, 0], 3],
  ["five regions, 300 %", [1, 1, 1, 1, 1], 3],
  ["five uneven regions, 300 %", [5, 3, 1, 1, 0.2], 3],
];

/** Sources of each load's requests under a limit per 60 s. */
export const loadsOf = (limit: number): [name: string, places: Place[]][] =>
  loads.map(([name, parts, ofLimit]) => {
    const total = parts.reduce((sum, part) => sum + part, 0);
    const perSecond = (index: number) => (((ofLimit * limit) / 60) * (parts[index] ?? 0)) / total;
    return [name, regions.map(([region, rttMs], index) => ({ name: region, rttMs, perSecond: perSecond(index) }))];
  });
