import { type RegionUsage, sumMinutes, type UsageMinute } from "../../platform/rate-limit/usage.ts";
import { BarChart } from "../kit/charts.tsx";
import { formatMoment, formatTime } from "../kit/dates.tsx";

/** The last hour of a key, minute by minute, with a chart for each region if several use it. */
export const UsageChart = ({ usage, now }: { usage: RegionUsage[]; now: number }) => (
  <>
    {usage.length === 0 ? (
      <p class="muted">No requests in the last hour.</p>
    ) : (
      <Minutes title="Requests in the last hour" minutes={sumMinutes(usage, now)} />
    )}
    {usage.length > 1 &&
      usage.map(({ region, minutes }) => <Minutes title={`From ${nameOf(region)}`} minutes={minutes} />)}
  </>
);

const Minutes = ({ title, minutes }: { title: string; minutes: UsageMinute[] }) => (
  <BarChart
    title={title}
    series={["accepted", "refused"]}
    points={minutes.map(({ at, admitted, refused }) => {
      return { label: formatTime(at), name: formatMoment(at), values: [admitted, refused] };
    })}
  />
);

/** Names of the platform's location hints. */
const names: Record<string, string> = {
  wnam: "western North America",
  enam: "eastern North America",
  sam: "South America",
  weur: "western Europe",
  eeur: "eastern Europe",
  apac: "Asia-Pacific",
  oc: "Oceania",
  afr: "Africa",
  me: "the Middle East",
};

const nameOf = (region: string): string => names[region] ?? "elsewhere";
