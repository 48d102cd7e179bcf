import type { TokenResource } from "../../../integrations/apps/tables.ts";
import { connect } from "../../db/client.ts";
import { logFault } from "../../http/log.ts";
import { askLimiter } from "../../rate-limit/ask-limiter.ts";
import type { LimiterRegion } from "../../rate-limit/regions.ts";
import type { Ask, Grant, Report } from "../../rate-limit/shares/messages.ts";
import { RegionLimiter } from "../../rate-limit/shares/region-limiter.ts";
import type { ApiKeyCaller, AuthResult } from "../caller.ts";
import { RecordCache } from "../record-cache.ts";
import { keyHome, limiterOf } from "./home.ts";
import { type ApiKeyRecord, findApiKey, type PresentedKey, touchApiKey, verifyApiKey } from "./key-record.ts";

/** `last_used_at` is for people, so a minute is exact enough. */
const TOUCH_EVERY_MS = 60_000;

/**
 * One object per API key and region. It holds the key's record and a share of its limit, so that one nearby call
 * authenticates and counts a request.
 */
export class ApiKeyLimiter extends RegionLimiter {
  #record = new RecordCache<ApiKeyRecord | undefined>();
  #touchedAt = 0;

  /** The `AuthResult` as JSON: serializing an object takes the runtime longer, about 6 % of a cached response. */
  async admit(hash: string, address?: string, origin?: string, resource?: TokenResource): Promise<string> {
    return JSON.stringify(await this.#admit({ hash, address, origin, resource }));
  }

  async #admit(presented: PresentedKey): Promise<AuthResult<ApiKeyCaller>> {
    const reading = this.#record.get(() => findApiKey(connect(this.env.DB), this.home));
    const record = await reading;
    const verification = verifyApiKey(record, presented, Date.now());
    if (!verification.valid) {
      // Home is not called for such a key, and the record is kept: home announces when the key is valid again.
      if (reading instanceof Promise) await this.introduce();
      return verification;
    }
    const count = await this.count(verification.caller.tier);
    if (count.admitted) this.#touch(verification.caller.id, record?.lastUsedAt ?? 0);
    return { ...verification, count };
  }

  /** The key was changed: the next request reads it again. */
  forget(): void {
    this.#record.forget();
  }

  protected override async askHome(ask: Ask): Promise<Grant> {
    return keyHome(this.env, this.home, this.region).ask(this.region, ask);
  }

  protected override async tellHome(report: Report): Promise<void> {
    await keyHome(this.env, this.home, this.region).giveBack(this.region, report);
  }

  #touch(id: number, lastUsedAt: number): void {
    const now = Date.now();
    if (now - Math.max(this.#touchedAt, lastUsedAt) < TOUCH_EVERY_MS) return;
    this.#touchedAt = now;
    const touched = touchApiKey(connect(this.env.DB), id, now);
    this.ctx.waitUntil(touched.catch((error: unknown) => logFault("last_used_at not written", error)));
  }
}

/**
 * Authenticates and counts a request with an API key, in the caller's region. If the limiter is unavailable, the key is
 * looked up and the request not counted.
 */
export async function admitApiKey(
  env: Env,
  region: LimiterRegion,
  start: string,
  presented: PresentedKey,
): Promise<AuthResult<ApiKeyCaller>> {
  const result = await askLimiter(
    () => limiterOf(env, start, region),
    async (limiter): Promise<AuthResult<ApiKeyCaller>> =>
      JSON.parse(await limiter.admit(presented.hash, presented.address, presented.origin, presented.resource)),
  );
  if (result) return result;
  const verification = verifyApiKey(await findApiKey(connect(env.DB), start), presented, Date.now());
  return verification.valid ? { ...verification, count: null } : verification;
}
