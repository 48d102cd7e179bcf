/** A point in time with a value for each series. `label` is short, for the axis; `name` is complete. */
export type Point = { label: string; name: string; values: number[] };

export type ChartProps = {
  title: string;
  /** Names of the series, in the order of a point's values. */
  series: string[];
  points: Point[];
  format?: (value: number) => string;
};

// Charts are as wide as the page, in percent, and have a height in pixels, so that nothing is distorted. The scale's numbers
// are in the left padding.

export const HEIGHT = 200;
export const TOP = 14;
export const BOTTOM = HEIGHT - 24;

export const percent = (value: number): string => `${Math.round(value * 100) / 100}%`;

export const stepOf = (points: Point[]): number => 100 / Math.max(1, points.length);

/** Centre of a point's area. */
export const middleOf = (index: number, points: Point[]): string => percent((index + 0.5) * stepOf(points));

/** The range of a chart, from the bottom (0 or below) to the top, with the values of its lines. */
export type Scale = { bottom: number; top: number; lines: number[] };

/** Distance of `value` from the top of the chart. */
export const heightOf = (value: number, { bottom, top }: Scale): number =>
  Math.round((BOTTOM - ((value - bottom) / (top - bottom)) * (BOTTOM - TOP)) * 10) / 10;

export const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

/** The tooltip of a point: "3 Nov: 12 admitted, 1 refused". */
export const pointText = ({ name, values }: Point, { series, format = String }: ChartProps): string =>
  `${name}: ${series.map((what, i) => `${format(values[i] ?? 0)} ${what.toLowerCase()}`).join(", ")}`;

/** A scale of round numbers that includes 0 and all values. */
export function scaleOf(values: number[]): Scale {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  const rough = Math.max(most - least, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough);
  const first = Math.floor(least / step);
  const count = Math.max(1, Math.ceil(most / step)) - first;
  const lines = Array.from({ length: count + 1 }, (_, index) => (first + index) * step);
  return { bottom: first * step, top: (first + count) * step, lines };
}
