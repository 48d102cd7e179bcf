import { expect, it } from "vitest";
import { UsageChart } from "../../../../src/panel/api-keys/usage.tsx";
import { UsageCounter } from "../../../../src/platform/rate-limit/usage.ts";

const NOW = Date.UTC(2026, 10, 22, 12, 30);

const usageOf = (region: string, admitted: number) => {
  const usage = new UsageCounter();
  for (let request = 0; request < admitted; request++) usage.add(true, NOW);
  return { region, minutes: usage.report(NOW) };
};

const render = async (...usage: ReturnType<typeof usageOf>[]) =>
  String(await UsageChart({ usage, now: NOW }).toString());

const captions = (html: string) => [...html.matchAll(/<figcaption>([^<]*)/g)].map(([, caption]) => caption);
const totals = (html: string) => [...html.matchAll(/<title>[^<]*: (\d+) accepted/g)].map(([, sum]) => Number(sum));

it("is one chart for a key in one region, and a sentence for an idle key", async () => {
  expect(captions(await render(usageOf("weur", 3)))).toEqual(["Requests in the last hour"]);
  expect(captions(await render())).toEqual([]);
  expect(await render()).toContain("No requests in the last hour.");
});

it("adds a chart for each region if several use the key, with their sum in the first", async () => {
  const html = await render(usageOf("weur", 3), usageOf("oc", 4), usageOf("any", 1));
  expect(captions(html)).toEqual([
    "Requests in the last hour",
    "From western Europe",
    "From Oceania",
    "From elsewhere",
  ]);
  expect(totals(html).filter((sum) => sum > 0)).toEqual([8, 3, 4, 1]);
});
