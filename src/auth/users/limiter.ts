import { connect } from "../../db/client.ts";
import { ask, tell } from "../../rate-limit/ask.ts";
import { Limiter } from "../../rate-limit/limiter.ts";
import type { UserCaller } from "../caller.ts";
import { FreshRecord } from "../fresh-record.ts";
import type { AccessClaims } from "../tokens.ts";
import type { Judgement, Verdict } from "../verdict.ts";
import { judgeUser, type UserRecord } from "./judge.ts";
import { findUserRecord } from "./record-queries.ts";

/** One object per user: it knows the account and its ended sessions, and counts the user's requests. */
export class UserLimiter extends Limiter {
  #record = new FreshRecord<UserRecord | undefined>();

  async admit(claims: AccessClaims): Promise<Verdict<UserCaller>> {
    const judgement = await this.judge(claims);
    return judgement.valid ? { ...judgement, count: this.count("standard") } : judgement;
  }

  /** The same without counting. */
  async judge(claims: AccessClaims): Promise<Judgement<UserCaller>> {
    return judgeUser(
      await this.#record.get(() => findUserRecord(connect(this.env.DB), claims.userId, Date.now())),
      claims,
    );
  }

  /** The account or one of its sessions was changed: the next request sees it. */
  forget(): void {
    this.#record.forget();
  }
}

const limiterOf = (env: Env, userId: number) => env.USER_LIMITER.getByName(String(userId));

/** Judges and counts a request of a user. Without the limiter the account is looked up and the request not counted. */
export async function admitUser(env: Env, claims: AccessClaims): Promise<Verdict<UserCaller>> {
  const verdict = await ask(
    () => limiterOf(env, claims.userId),
    async (limiter) => await limiter.admit(claims),
  );
  if (verdict) return verdict;
  const judgement = await lookUp(env, claims);
  return judgement.valid ? { ...judgement, count: null } : judgement;
}

/** Judges a request that is not counted: pages for people, who click as fast as they can. */
export async function recogniseUser(env: Env, claims: AccessClaims): Promise<Judgement<UserCaller>> {
  const judgement = await ask(
    () => limiterOf(env, claims.userId),
    async (limiter) => await limiter.judge(claims),
  );
  return judgement ?? lookUp(env, claims);
}

const lookUp = async (env: Env, claims: AccessClaims): Promise<Judgement<UserCaller>> =>
  judgeUser(await findUserRecord(connect(env.DB), claims.userId, Date.now()), claims);

/** Tells the user's limiter of a change. A lost call only delays it. */
export const forgetUser = (env: Env, userId: number): Promise<void> =>
  tell(
    () => limiterOf(env, userId),
    async (limiter) => limiter.forget(),
  );
