import type { PropsWithChildren } from "hono/jsx";

/** A stacked bar chart over time. */
export const BarChart = (chart: ChartProps) => {
  const scale = scaleOf(chart.points.map(({ values }) => sum(values)));
  return (
    <Figure {...chart} scale={scale}>
      {chart.points.map((point, index) => (
        <g>
          <Hint chart={chart} index={index} />
          {point.values.map((value, i) => (
            <rect
              class={`series-${i + 1}`}
              x={percent((index + 0.15) * stepOf(chart.points))}
              y={heightOf(sum(point.values.slice(0, i + 1)), scale)}
              width={percent(0.7 * stepOf(chart.points))}
              height={BOTTOM - heightOf(value, scale)}
            />
          ))}
        </g>
      ))}
    </Figure>
  );
};

/** A line chart over time with one line per series; the first is on top. */
export const LineChart = (chart: ChartProps) => {
  const { points, series } = chart;
  const scale = scaleOf(points.flatMap(({ values }) => values));
  const yOf = (point: Point | undefined, i: number) => heightOf(point?.values[i] ?? 0, scale);
  return (
    <Figure {...chart} scale={scale}>
      {series
        .map((_, i) =>
          points
            .slice(1)
            .map((point, index) => (
              <line
                class={`line series-${i + 1}`}
                x1={middleOf(index, points)}
                y1={yOf(points[index], i)}
                x2={middleOf(index + 1, points)}
                y2={yOf(point, i)}
              />
            )),
        )
        .reverse()}
      {points.map((_, index) => (
        <g>
          <Hint chart={chart} index={index} />
        </g>
      ))}
    </Figure>
  );
};

/** The hover area of a point, which shows its figures. */
const Hint = ({ chart, index }: { chart: ChartProps; index: number }) => {
  const point = chart.points[index];
  return (
    <rect
      class="hint"
      x={percent(index * stepOf(chart.points))}
      y={TOP}
      width={percent(stepOf(chart.points))}
      height={BOTTOM - TOP}
    >
      {point && <title>{pointText(point, chart)}</title>}
    </rect>
  );
};

/** Labels that fit side by side on a phone. */
const MAX_LABELS = 4;

/** The frame of a chart: title, scale, and its figures as a table for screen readers. */
const Figure = ({
  title,
  series,
  points,
  format = String,
  scale,
  children,
}: PropsWithChildren<ChartProps & { scale: Scale }>) => (
  <figure class="chart">
    <figcaption>
      {title}
      {series.length > 1 && (
        <span class="legend">
          {series.map((name, i) => (
            <span class={`key series-${i + 1}`}>{name}</span>
          ))}
        </span>
      )}
    </figcaption>
    <svg height={HEIGHT} role="img" aria-label={`${title}: figures below`}>
      {scale.lines.map((value) => (
        <g>
          <line x1="0" x2="100%" y1={heightOf(value, scale)} y2={heightOf(value, scale)} />
          <text x="-8" y={heightOf(value, scale)} dy="4" text-anchor="end">
            {format(value).replace(/\.00$/, "")}
          </text>
        </g>
      ))}
      {children}
      {points.map(({ label }, index) =>
        // Counted from the end, so that the newest point is always labelled.
        (points.length - 1 - index) % Math.ceil(points.length / MAX_LABELS) === 0 ? (
          <text {...placeOf(index, points)} y={HEIGHT - 6}>
            {label}
          </text>
        ) : null,
      )}
    </svg>
    <details>
      <summary>Figures</summary>
      <Figures title={title} series={series} points={points} format={format} />
    </details>
  </figure>
);

/** Centred below its point; the last label ends with the chart where points are close. */
const placeOf = (index: number, points: ChartProps["points"]) =>
  index === points.length - 1 && points.length > MAX_LABELS
    ? { x: "100%", "text-anchor": "end" }
    : { x: middleOf(index, points), "text-anchor": "middle" };

const Figures = ({ title, series, points, format }: Required<ChartProps>) => (
  <table aria-label={title}>
    <thead>
      <tr>
        <th scope="col">When</th>
        {series.map((name) => (
          <th scope="col" class="numeric">
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {points.map(({ name, values }) => (
        <tr>
          <th scope="row">{name}</th>
          {values.map((value) => (
            <td class="numeric">{format(value)}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

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

const HEIGHT = 200;
const TOP = 14;
const BOTTOM = HEIGHT - 24;

const percent = (value: number): string => `${Math.round(value * 100) / 100}%`;

const stepOf = (points: Point[]): number => 100 / Math.max(1, points.length);

/** Centre of a point's area. */
const middleOf = (index: number, points: Point[]): string => percent((index + 0.5) * stepOf(points));

/** The range of a chart, from the bottom (0 or below) to the top, with the values of its lines. */
export type Scale = { bottom: number; top: number; lines: number[] };

/** Distance of `value` from the top of the chart. */
const heightOf = (value: number, { bottom, top }: Scale): number =>
  Math.round((BOTTOM - ((value - bottom) / (top - bottom)) * (BOTTOM - TOP)) * 10) / 10;

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

/** The tooltip of a point: "3 Nov: 12 accepted, 1 refused". */
const pointText = ({ name, values }: Point, { series, format = String }: ChartProps): string =>
  `${name}: ${series.map((what, i) => `${format(values[i] ?? 0)} ${what.toLowerCase()}`).join(", ")}`;

/** A scale of round numbers that includes 0 and all values. */
export function scaleOf(values: number[]): Scale {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  const rough = Math.max(most - least, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough);
  const first = Math.floor(least / step);
  const count = Math.max(1, Math.ceil(most / step)) - first;
  // Without values, a number above 0 would look like one of them.
  const lines = Array.from({ length: most > least ? count + 1 : 1 }, (_, index) => (first + index) * step);
  return { bottom: first * step, top: (first + count) * step, lines };
}
