import { unavailable } from "../../../domain/errors.ts";
import { connect } from "../../db/client.ts";
import { logFault } from "../../http/log.ts";
import { notifyLimiter, withTimeout } from "../../rate-limit/ask-limiter.ts";
import { nameOf } from "../../rate-limit/object-name.ts";
import { policies } from "../../rate-limit/policies.ts";
import { locationHintOf } from "../../rate-limit/regions.ts";
import { HomeLimiter } from "../../rate-limit/shares/home-limiter.ts";
import type { Recall, Report } from "../../rate-limit/shares/messages.ts";
import type { RegionUsage } from "../../rate-limit/usage.ts";
import { RecordCache } from "../record-cache.ts";
import { type ApiKeyRecord, findApiKey } from "./key-record.ts";

/** A region that misses a change within this time notices it within a minute. */
const NOTIFY_TIMEOUT_MS = 5_000;

/** One object per API key. It lends the key's limit to regions and notifies them of changes. */
export class ApiKeyHome extends HomeLimiter {
  get #start(): string {
    return nameOf(this.ctx);
  }
  #record = new RecordCache<ApiKeyRecord | undefined>();

  /** Notifies every region that may hold the changed key's record before returning. */
  async forget(): Promise<void> {
    this.#record.forget();
    await Promise.all(
      this.regions.map((region) =>
        notifyLimiter(
          () => limiterOf(this.env, this.#start, region),
          (limiter) => withTimeout(NOTIFY_TIMEOUT_MS, limiter.forget()),
        ),
      ),
    );
  }

  lastHour(): Promise<RegionUsage[]> {
    return Promise.all(
      this.regions.map(async (region) => ({
        region,
        minutes: await limiterOf(this.env, this.#start, region).lastHour(),
      })),
    );
  }

  protected override async limit(): Promise<number> {
    const record = await this.#record.get(() => findApiKey(connect(this.env.DB), this.#start));
    return record?.revokedAt === null ? policies[record.tier].limit : 0;
  }

  protected override async recallFrom(region: string, recall: Recall): Promise<Report> {
    return limiterOf(this.env, this.#start, region).recall(recall);
  }
}

/** Notifies a key's limiters in all regions of a change. A lost call only delays it. */
export const forgetApiKey = (env: Env, start: string): Promise<void> =>
  notifyLimiter(
    () => keyHome(env, start),
    async (home) => home.forget(),
  );

/** The key's requests of the last hour by region and minute, from its Durable Objects. */
export async function lastHourOf(env: Env, start: string): Promise<RegionUsage[]> {
  try {
    return await keyHome(env, start).lastHour();
  } catch (error) {
    logFault("rate limiter unavailable; usage of the last hour unknown", error);
    throw unavailable();
  }
}

/** The limiter of a key in a region, where it is created. */
export const limiterOf = (env: Env, start: string, region: string) =>
  env.API_KEY_LIMITER.getByName(`${start}@${region}`, locationHintOf(region));

/** The home of a key's limiters, created in the region that uses the key first. */
export const keyHome = (env: Env, start: string, region?: string) =>
  env.API_KEY_HOME.getByName(start, region === undefined ? {} : locationHintOf(region));
