import type { PropsWithChildren } from "hono/jsx";
import { type ChartProps, HEIGHT, heightOf, middleOf, type Scale } from "./plot.ts";

/** Labels that fit side by side on a phone. */
const MAX_LABELS = 4;

/** The frame of a chart: title, scale, and its figures as a table for screen readers. */
export const Figure = ({
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
