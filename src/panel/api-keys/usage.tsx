import type { UsageMinute } from "../../rate-limit/usage.ts";
import { BarChart } from "../kit/charts.tsx";
import { formatMoment, formatTime } from "../kit/dates.ts";

/** The last hour of a key, minute by minute, as its limiter counted it. */
export const UsageChart = ({ minutes }: { minutes: UsageMinute[] }) => (
  <BarChart
    title="Requests of the last hour"
    series={["admitted", "refused"]}
    points={minutes.map(({ at, admitted, refused }) => {
      return { label: formatTime(at), name: formatMoment(at), values: [admitted, refused] };
    })}
  />
);
