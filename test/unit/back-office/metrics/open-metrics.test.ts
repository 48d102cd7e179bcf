import { expect, it } from "vitest";
import { writeOpenMetrics } from "../../../../src/back-office/metrics/open-metrics.ts";

it("writes types, units and escaped labels, and ends with # EOF", () => {
  const text = writeOpenMetrics([
    {
      name: "wait_seconds",
      type: "gauge",
      unit: "seconds",
      help: "How\nlong.",
      samples: [{ labels: { queue: 'a"\\\n' }, value: 1.5 }, { value: 2 }],
    },
    { name: "calls", type: "counter", help: "Calls.", samples: [{ suffix: "_total", value: 3 }] },
  ]);
  expect(text).toBe(
    [
      "# TYPE wait_seconds gauge",
      "# UNIT wait_seconds seconds",
      "# HELP wait_seconds How\\nlong.",
      String.raw`wait_seconds{queue="a\"\\\n"} 1.5`,
      "wait_seconds 2",
      "# TYPE calls counter",
      "# HELP calls Calls.",
      "calls_total 3",
      "# EOF\n",
    ].join("\n"),
  );
});
