import type { UsageMinute } from "../../rate-limit/usage.ts";
import { BarChart } from "../kit/charts.tsx";

/** The last hour of a key, minute by minute, as its limiter counted it. */
export const UsageChart = ({ minutes }: { minutes: UsageMinute[] }) => (
  <BarChart
    title="Requests of the last hour"
    series={["admitted", "refused"]}
    points={minutes.map(({ at, admitted, refused }) => {
      const time = new Date(at).toISOString().slice(11, 16);
      return { label: time, name: `${time} UTC`, values: [admitted, refused] };
    })}
  />
);
