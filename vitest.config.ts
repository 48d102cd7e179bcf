import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
import { newSecrets } from "./scripts/secrets.ts";

export default defineConfig({
  plugins: [
    cloudflareTest(async () => ({
      wrangler: { configPath: "./wrangler.toml" },
      miniflare: { bindings: { ...(await newSecrets()), MIGRATIONS: await readD1Migrations("./migrations") } },
    })),
  ],
  test: { setupFiles: ["./test/setup.ts"], silent: "passed-only" },
});
