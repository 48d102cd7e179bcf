import { expect, it, vi } from "vitest";
import { unstable_readConfig } from "wrangler";

// Files of one worker share their modules, and another one's tests of deployments replace the settings.
vi.resetModules();
vi.doUnmock("../../../../scripts/deploy/toml.ts");
const { readDeployment } = await import("../../../../scripts/deploy/config.ts");

it.each(["", "staging", "production"])("logs every error, once, in the environment %j", (env) => {
  const { observability, compatibility_flags } = unstable_readConfig({ config: "wrangler.toml", env });
  expect(observability).toMatchObject({
    enabled: true,
    logs: { enabled: true, head_sampling_rate: 1, invocation_logs: false },
    traces: { enabled: true, head_sampling_rate: 0.01 },
  });
  expect(compatibility_flags).toContain("global_fetch_strictly_public");
});

it.each(["", "staging", "production"])(
  "reads the Worker and its storage as wrangler does in the environment %j",
  (env) => {
    vi.stubEnv("CLOUDFLARE_ENV", env);
    const { name, d1_databases, r2_buckets, vars } = unstable_readConfig({ config: "wrangler.toml", env });
    const url = String(vars.WORKER_URL);
    expect(readDeployment()).toEqual({
      worker: name,
      database: d1_databases[0]?.database_name,
      migrations: d1_databases[0]?.migrations_dir,
      buckets: r2_buckets.map(({ bucket_name }: { bucket_name?: string }) => bucket_name),
      backups: r2_buckets.find(({ binding }: { binding: string }) => binding === "BACKUPS")?.bucket_name,
      url: url === "" ? undefined : url,
    });
  },
);
