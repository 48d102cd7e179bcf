import fc from "fast-check";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Seed of random tests. fast-check prints it with each failure. */
    seed: number;
    /** Number of hostile messages to send, such as RUNS=10000. Overrides the default of a regular run. */
    runs: number | null;
  }
}

fc.configureGlobal({ seed: inject("seed") });
