/** Labels of a sample. Each has few possible values. */
type Labels = Record<string, string>;

type Sample = { suffix?: "_total" | "_bucket" | "_count" | "_sum" | "_info"; labels?: Labels; value: number };

/** A metric with its samples. The name ends with the unit, if there is one. */
export type MetricFamily = {
  name: string;
  type: "counter" | "gauge" | "histogram" | "info";
  unit?: "seconds" | "bytes";
  help: string;
  samples: Sample[];
};

export const OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/** Writes metrics in the text format of OpenMetrics 1.0. */
export const writeOpenMetrics = (families: readonly MetricFamily[]): string =>
  `${families.map(written).join("")}# EOF\n`;

function written({ name, type, unit, help, samples }: MetricFamily): string {
  const head = [`# TYPE ${name} ${type}`, unit && `# UNIT ${name} ${unit}`, `# HELP ${name} ${escaped(help)}`];
  const lines = samples.map(({ suffix = "", labels = {}, value }) => `${name}${suffix}${inBraces(labels)} ${value}`);
  return [...head, ...lines]
    .filter((line) => line !== undefined)
    .map((line) => `${line}\n`)
    .join("");
}

function inBraces(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

const escaped = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
