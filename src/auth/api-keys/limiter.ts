import { connect } from "../../db/client.ts";
import { unavailable } from "../../errors.ts";
import { logFault } from "../../http/log.ts";
import { askLimiter, notifyLimiter } from "../../rate-limit/ask-limiter.ts";
import { Limiter } from "../../rate-limit/limiter.ts";
import { Usage, type UsageMinute } from "../../rate-limit/usage.ts";
import type { AuthResult } from "../auth-result.ts";
import type { ApiKeyCaller } from "../caller.ts";
import { RecordCache } from "../record-cache.ts";
import { findApiKey, touchApiKey } from "./queries.ts";
import { type ApiKeyRecord, verifyApiKey } from "./verify.ts";

/** `last_used_at` is for people: a minute is exact enough. */
const TOUCH_EVERY_MS = 60_000;

/** One object per API key. It holds the key's record, so that one call authenticates the request and counts it. */
export class ApiKeyLimiter extends Limiter {
  protected override usage = new Usage();
  #record = new RecordCache<ApiKeyRecord | undefined>();
  #touchedAt = 0;

  async admit(start: string, hash: string): Promise<AuthResult<ApiKeyCaller>> {
    const record = await this.#record.get(() => findApiKey(connect(this.env.DB), start));
    const verification = verifyApiKey(record, hash, Date.now());
    if (!verification.valid) return verification;
    const count = this.count(verification.caller.tier);
    if (count.admitted) this.#touch(verification.caller.id, record?.lastUsedAt ?? 0);
    return { ...verification, count };
  }

  /** The key was changed: the next request sees it. */
  forget(): void {
    this.#record.forget();
  }

  lastHour(): UsageMinute[] {
    return this.usage.report(Date.now());
  }

  #touch(id: number, lastUsedAt: number): void {
    const now = Date.now();
    if (now - Math.max(this.#touchedAt, lastUsedAt) < TOUCH_EVERY_MS) return;
    this.#touchedAt = now;
    const touched = touchApiKey(connect(this.env.DB), id, now);
    this.ctx.waitUntil(touched.catch((error: unknown) => logFault("last_used_at was not written", error)));
  }
}

/** Authenticates and counts a request with an API key. Without its limiter the key is looked up and the request not counted. */
export async function admitApiKey(env: Env, start: string, hash: string): Promise<AuthResult<ApiKeyCaller>> {
  const result = await askLimiter(
    () => env.API_KEY_LIMITER.getByName(start),
    async (limiter) => await limiter.admit(start, hash),
  );
  if (result) return result;
  const verification = verifyApiKey(await findApiKey(connect(env.DB), start), hash, Date.now());
  return verification.valid ? { ...verification, count: null } : verification;
}

/** Tells the key's limiter that the key was changed. A lost call only delays it. */
export const forgetApiKey = (env: Env, start: string): Promise<void> =>
  notifyLimiter(
    () => env.API_KEY_LIMITER.getByName(start),
    async (limiter) => limiter.forget(),
  );

/** The key's requests of the last hour by minute, from the Durable Object that counted them. */
export async function lastHourOf(env: Env, start: string): Promise<UsageMinute[]> {
  try {
    return await env.API_KEY_LIMITER.getByName(start).lastHour();
  } catch (error) {
    logFault("a limiter did not tell of a key's last hour", error);
    throw unavailable();
  }
}
