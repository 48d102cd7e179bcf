import { connect } from "../../db/client.ts";
import { unavailable } from "../../errors.ts";
import { logFault } from "../../http/log.ts";
import { ask, tell } from "../../rate-limit/ask.ts";
import { Limiter } from "../../rate-limit/limiter.ts";
import { Usage, type UsageMinute } from "../../rate-limit/usage.ts";
import type { ApiKeyCaller } from "../caller.ts";
import { FreshRecord } from "../fresh-record.ts";
import type { Verdict } from "../verdict.ts";
import { type ApiKeyRecord, judgeApiKey } from "./judge.ts";
import { findApiKey, touchApiKey } from "./queries.ts";

/** `last_used_at` is for people: a minute is exact enough. */
const TOUCH_EVERY_MS = 60_000;

/** One object per API key. It holds the key's record, so that one call authenticates the request and counts it. */
export class ApiKeyLimiter extends Limiter {
  protected override usage = new Usage();
  #record = new FreshRecord<ApiKeyRecord | undefined>();
  #touchedAt = 0;

  async admit(start: string, hash: string): Promise<Verdict<ApiKeyCaller>> {
    const record = await this.#record.get(() => findApiKey(connect(this.env.DB), start));
    const judgement = judgeApiKey(record, hash, Date.now());
    if (!judgement.valid) return judgement;
    const count = this.count(judgement.caller.tier);
    if (count.admitted) this.#touch(judgement.caller.id, record?.lastUsedAt ?? 0);
    return { ...judgement, count };
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

/** Judges and counts a request with a key. Without its limiter the key is looked up and the request not counted. */
export async function admitApiKey(env: Env, start: string, hash: string): Promise<Verdict<ApiKeyCaller>> {
  const verdict = await ask(
    () => env.API_KEY_LIMITER.getByName(start),
    async (limiter) => await limiter.admit(start, hash),
  );
  if (verdict) return verdict;
  const judgement = judgeApiKey(await findApiKey(connect(env.DB), start), hash, Date.now());
  return judgement.valid ? { ...judgement, count: null } : judgement;
}

/** Tells the key's limiter that the key was changed. A lost call only delays it. */
export const forgetApiKey = (env: Env, start: string): Promise<void> =>
  tell(
    () => env.API_KEY_LIMITER.getByName(start),
    async (limiter) => limiter.forget(),
  );

/** The key's requests of the last hour by minute, from the object that counted them: nobody else knows. */
export async function lastHourOf(env: Env, start: string): Promise<UsageMinute[]> {
  try {
    return await env.API_KEY_LIMITER.getByName(start).lastHour();
  } catch (error) {
    logFault("a limiter did not tell of a key's last hour", error);
    throw unavailable();
  }
}
