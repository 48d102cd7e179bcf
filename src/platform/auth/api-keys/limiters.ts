import { locationHintOf } from "../../rate-limit/regions.ts";

/** The limiter of a key in a region: it is created there. */
export const limiterOf = (env: Env, start: string, region: string) =>
  env.API_KEY_LIMITER.getByName(`${start}@${region}`, locationHintOf(region));

/** The home of a key's limiters: it is created in the region that uses the key first. */
export const homeOf = (env: Env, start: string, region?: string) =>
  env.API_KEY_HOME.getByName(start, region === undefined ? {} : locationHintOf(region));
