import { Figure } from "./figure.tsx";
import {
  BOTTOM,
  type ChartProps,
  heightOf,
  middleOf,
  type Point,
  percent,
  pointText,
  scaleOf,
  stepOf,
  sum,
  TOP,
} from "./plot.ts";

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
