import { expect, it } from "vitest";
import { settingsOf, sharedResources, toToml } from "../../../../scripts/deploy/environments.ts";

const ABOVE = {
  name: "shop",
  main: "dist/index.mjs",
  d1_databases: [{ binding: "DB", database_name: "shop", database_id: "the id above" }],
  r2_buckets: [{ binding: "FILES", bucket_name: "shop-files" }],
  workflows: [{ name: "shop-jobs", binding: "JOBS", class_name: "Jobs" }],
  send_email: [{ name: "EMAIL" }],
  analytics_engine_datasets: [{ binding: "METRICS", dataset: "shop_requests" }],
  vars: { CURRENCY: "USD", TOKEN_ISSUER: "shop", STAGING: "false" },
};

it("gives an environment every binding and variable above it, with resources of its own", () => {
  expect(settingsOf("staging", {}, ABOVE)).toEqual({
    d1_databases: [{ binding: "DB", database_name: "shop-staging" }],
    r2_buckets: [{ binding: "FILES", bucket_name: "shop-files-staging" }],
    workflows: [{ name: "shop-jobs-staging", binding: "JOBS", class_name: "Jobs" }],
    send_email: [{ name: "EMAIL" }],
    analytics_engine_datasets: [{ binding: "METRICS", dataset: "shop_requests_staging" }],
    vars: { CURRENCY: "USD", TOKEN_ISSUER: "shop-staging", STAGING: "false" },
  });
});

it("keeps the environment's own values, names and ids, and drops what was removed above", () => {
  const own = {
    routes: ["staging.example/*"],
    d1_databases: [{ binding: "DB", database_name: "trial", database_id: "its id" }],
    kv_namespaces: [{ binding: "OLD", id: "old" }],
    vars: { CURRENCY: "EUR", STAGING: "true", OLD: "1" },
  };
  const settings = settingsOf("staging", own, ABOVE);
  expect(settings).toMatchObject({
    routes: ["staging.example/*"],
    d1_databases: [{ binding: "DB", database_name: "trial", database_id: "its id" }],
    vars: { CURRENCY: "EUR", TOKEN_ISSUER: "shop-staging", STAGING: "true" },
  });
  expect(settings).not.toHaveProperty("kv_namespaces");
  expect(settings.vars).not.toHaveProperty("OLD");
});

it("reports environments that would take data or requests of another deployment", () => {
  const staging = { r2_buckets: [{ binding: "FILES", bucket_name: "shop-files" }] };
  expect(sharedResources({ ...ABOVE, routes: ["shop.example/*"], env: { staging } })).toEqual([
    "[env.staging] would take the routes above it",
    '[env.staging] and the deployment without --env share bucket_name "shop-files"',
  ]);
  expect(sharedResources({ ...ABOVE, env: { staging: settingsOf("staging", {}, ABOVE) } })).toEqual([]);
});

it("writes TOML with a line for each binding and variable", () => {
  const settings = {
    r2_buckets: [{ binding: "A" }, { binding: "B" }],
    images: { binding: "I" },
    vars: { SAYS: 'a "b"' },
  };
  expect(toToml("staging", settings)).toBe(`[env.staging]
r2_buckets = [
  { binding = "A" },
  { binding = "B" },
]
images.binding = "I"

[env.staging.vars]
SAYS = "a \\"b\\""`);
});
