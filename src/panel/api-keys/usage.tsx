import { type RegionUsage, sumMinutes, type UsageMinute } from "../../platform/rate-limit/usage.ts";
import { BarChart } from "../kit/charts.tsx";
import { formatMoment, formatTime } from "../kit/dates.ts";

/** The last hour of a key, minute by minute, and that of each region where several use it. */
export const UsageChart = ({ usage, now }: { usage: RegionUsage[]; now: number }) => (
  <>
    <Minutes title="Requests in the last hour" minutes={sumMinutes(usage, now)} />
    {usage.length > 1 &&
      usage.map(({ region, minutes }) => <Minutes title={`From ${nameOf(region)}`} minutes={minutes} />)}
  </>
);

const Minutes = ({ title, minutes }: { title: string; minutes: UsageMinute[] }) => (
  <BarChart
    title={title}
    series={["admitted", "refused"]}
    points={minutes.map(({ at, admitted, refused }) => {
      return { label: formatTime(at), name: formatMoment(at), values: [admitted, refused] };
    })}
  />
);

/** The places that the platform's location hints stand for. */
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
