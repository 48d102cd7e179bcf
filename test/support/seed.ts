import fc from "fast-check";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** What random tests draw from; fast-check names it with whatever fails. */
    seed: number;
  }
}

fc.configureGlobal({ seed: inject("seed") });
