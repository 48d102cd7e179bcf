import { expect, it } from "vitest";
import { unstable_readConfig } from "wrangler";

it.each(["", "staging", "production"])("logs every error, once, in the environment %j", (env) => {
  const { observability, compatibility_flags } = unstable_readConfig({ config: "wrangler.toml", env });
  expect(observability).toMatchObject({
    enabled: true,
    logs: { enabled: true, head_sampling_rate: 1, invocation_logs: false },
    traces: { enabled: true, head_sampling_rate: 0.01 },
  });
  expect(compatibility_flags).toContain("global_fetch_strictly_public");
});
