import { bundle } from "./build/bundle.ts";
import { vendor } from "./build/vendor.ts";

// What wrangler.toml names as `[build] command`, which wrangler runs before it serves, deploys or reads types, and whenever
// src changes.

vendor();
try {
  await bundle("src/index.ts", "dist");
} catch (error) {
  // Of mistakes in the source it has printed where they are.
  if (!(error instanceof Error && "errors" in error)) throw error;
  process.exitCode = 1;
}
