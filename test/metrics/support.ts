type Metric = { name: string; labels: Record<string, string>; value: number };

type Family = { type: string; unit?: string | undefined; samples: Metric[] };

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const LABEL = String.raw`[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"`;
const SAMPLE = new RegExp(String.raw`^(${NAME})(?:\{(${LABEL}(?:,${LABEL})*)\})? (\d+(?:\.\d+)?(?:e[+-]\d+)?)$`);

/** Suffixes of samples by type, as OpenMetrics 1.0 defines them. */
const suffixes: Record<string, string[]> = {
  counter: ["_total"],
  gauge: [""],
  info: ["_info"],
  histogram: ["_bucket", "_count", "_sum"],
};

/** Parses OpenMetrics strictly: throws at misplaced lines, duplicate label sets and histograms that do not add up. */
export function parseOpenMetrics(text: string): Map<string, Family> {
  if (!text.endsWith("\n# EOF\n")) throw new Error("The text does not end with # EOF");
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  let name = "";
  for (const line of text.slice(0, -"# EOF\n".length).trimEnd().split("\n")) {
    const [, keyword, about = "", rest = ""] = /^# (TYPE|UNIT|HELP) (\S+) (.+)$/.exec(line) ?? [];
    if (keyword === "TYPE") {
      if (families.has(about) || !(rest in suffixes)) throw new Error(line);
      name = about;
      families.set(name, { type: rest, samples: [] });
      continue;
    }
    const family = families.get(name);
    if (!family) throw new Error(line);
    if (keyword) {
      if (about !== name || family.samples.length > 0) throw new Error(line);
      if (keyword === "UNIT" && !name.endsWith(`_${rest}`)) throw new Error(line);
      continue;
    }
    const [, sample = "", labels = "", value = ""] = SAMPLE.exec(line) ?? [];
    if (!suffixes[family.type]?.includes(sample.slice(name.length)) || !sample.startsWith(name)) throw new Error(line);
    const series = `${sample}{${labels}}`;
    if (seen.has(series)) throw new Error(`Twice: ${line}`);
    seen.add(series);
    family.samples.push({ name: sample, labels: labelsOf(labels), value: Number(value) });
  }
  for (const [histogram, { type, samples }] of families) if (type === "histogram") requireHistogram(histogram, samples);
  return families;
}

const labelsOf = (labels: string): Record<string, string> =>
  Object.fromEntries(
    [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value = ""]) => [
      name,
      value.replaceAll(/\\(.)/g, (_, escaped) => (escaped === "n" ? "\n" : escaped)),
    ]),
  );

/** Bucket counts rise up to +Inf, which equals the count. */
function requireHistogram(name: string, samples: Metric[]): void {
  const groups = Map.groupBy(samples, ({ labels: { le: _le, ...labels } }) => JSON.stringify(labels));
  for (const [labels, group] of groups) {
    const found = group.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = found.map(({ labels: { le } }) => (le === "+Inf" ? Number.POSITIVE_INFINITY : Number(le)));
    const counts = found.map(({ value }) => value);
    const isSorted = (numbers: number[]) =>
      numbers.every((one, place) => place === 0 || one >= (numbers[place - 1] ?? 0));
    const count = group.find((sample) => sample.name === `${name}_count`)?.value;
    if (!isSorted(bounds) || !isSorted(counts) || bounds.at(-1) !== Number.POSITIVE_INFINITY || counts.at(-1) !== count)
      throw new Error(`Not a histogram: ${name}${labels}`);
  }
}
