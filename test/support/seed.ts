import fc from "fast-check";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Seed of random tests. fast-check prints it with each failure. */
    seed: number;
  }
}

fc.configureGlobal({ seed: inject("seed") });
