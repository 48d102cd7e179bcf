import fc from "fast-check";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Seed of random tests. fast-check names it with each failure. */
    seed: number;
    /** Number of hostile messages, if another than in every run: RUNS=10000. */
    runs: number | null;
  }
}

fc.configureGlobal({ seed: inject("seed") });
