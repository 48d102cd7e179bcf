import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Share of a property's runs that this command makes. */
    depth: number;
    /** Number of runs of each property that counts them by `runsOf`, such as RUNS=10000. Overrides the depth. */
    runs: number | null;
  }
}

/** Number of runs of a long property: `all` in `npm run test:all`, and a quarter of them in `npm test`. */
export const runsOf = (all: number): number => inject("runs") ?? Math.ceil(all * inject("depth"));
