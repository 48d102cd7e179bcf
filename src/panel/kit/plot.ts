/** One point in time with a value for each series. `label` is short, for the axis; `name` is whole. */
export type Point = { label: string; name: string; values: number[] };

export type ChartProps = {
  title: string;
  /** The names of the series, in the order of a point's values. */
  series: string[];
  points: Point[];
  format?: (value: number) => string;
};

// Across, a chart is as wide as its page, in percent; down it is in pixels, so that nothing is distorted. The numbers of
// its scale stand in the padding left of it.

export const HEIGHT = 200;
export const TOP = 14;
export const BOTTOM = HEIGHT - 24;

export const percent = (value: number): string => `${Math.round(value * 100) / 100}%`;

export const stepOf = (points: Point[]): number => 100 / Math.max(1, points.length);

/** The middle of a point's place. */
export const middleOf = (index: number, points: Point[]): string => percent((index + 0.5) * stepOf(points));

/** The distance of `value` from the top of a scale that ends at `top`. */
export const heightOf = (value: number, top: number): number =>
  Math.round((BOTTOM - (value / top) * (BOTTOM - TOP)) * 10) / 10;

export const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

/** The tooltip of a point: "3 Nov: 12 admitted, 1 refused". */
export const pointText = ({ name, values }: Point, { series, format = String }: ChartProps): string =>
  `${name}: ${series.map((what, i) => `${format(values[i] ?? 0)} ${what.toLowerCase()}`).join(", ")}`;

/** The lines of a scale: round numbers from 0 to the first that is not below `most`. */
export function scaleOf(most: number): { top: number; lines: number[] } {
  const rough = Math.max(most, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough);
  const count = Math.max(1, Math.ceil(most / step));
  return { top: count * step, lines: Array.from({ length: count + 1 }, (_, index) => index * step) };
}
