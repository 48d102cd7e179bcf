import { DurableObject } from "cloudflare:workers";
import { tooManyAttempts } from "../../../domain/errors.ts";
import { askLimiter, notifyLimiter } from "../../rate-limit/ask-limiter.ts";
import { hashSecret } from "../secrets.ts";
import { type AttemptsState, LoginAttempts } from "./attempts.ts";

/** One object per e-mail address, with or without an account, which look alike from outside. */
export class LoginThrottle extends DurableObject<Env> {
  #attempts = new LoginAttempts();

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.blockConcurrencyWhile(async () => {
      this.#attempts = new LoginAttempts(await ctx.storage.get<AttemptsState>("attempts"));
    });
  }

  async take(origin: string | null): Promise<{ waitMs: number; isKnown: boolean }> {
    const waitMs = this.#attempts.take(origin, Date.now());
    if (waitMs === 0) await this.#store();
    return { waitMs, isKnown: this.#attempts.knows(origin) };
  }

  async succeed(origin: string | null): Promise<void> {
    this.#attempts.succeed(origin, Date.now());
    await this.#store();
  }

  async reset(origin: string | null): Promise<void> {
    this.#attempts.reset(origin, Date.now());
    await this.#store();
  }

  override async alarm(): Promise<void> {
    const { endsAt } = this.#attempts;
    if (endsAt > Date.now()) await this.ctx.storage.setAlarm(endsAt);
    else await this.ctx.storage.deleteAll();
  }

  async #store(): Promise<void> {
    await Promise.all([
      this.ctx.storage.put("attempts", this.#attempts.state),
      this.ctx.storage.setAlarm(Math.max(this.#attempts.endsAt, Date.now())),
    ]);
  }
}

const throttleOf = (env: Env, email: string) => env.LOGIN_THROTTLE.getByName(hashSecret(email));

/**
 * Counts an attempt before the password or code is compared, and returns whether someone signed in from there recently. If
 * the object is unavailable, it is not counted, and no place is called new.
 */
export async function takeLoginAttempt(env: Env, email: string, origin: string | null): Promise<{ isKnown: boolean }> {
  const attempt = await askLimiter(
    () => throttleOf(env, email),
    (throttle) => throttle.take(origin),
  );
  if (attempt?.waitMs) throw tooManyAttempts(Math.ceil(attempt.waitMs / 1000));
  return { isKnown: attempt?.isKnown ?? true };
}

/** The attempt had the correct password. A lost call leaves it counted as a failure. */
export const loginSucceeded = (env: Env, email: string, origin: string | null): Promise<void> =>
  notifyLimiter(
    () => throttleOf(env, email),
    (throttle) => throttle.succeed(origin),
  );

/** Forgets attempts and known origins of an address with a new owner. `origin` is null if the owner did not sign in. */
export const resetLogins = (env: Env, email: string, origin: string | null): Promise<void> =>
  notifyLimiter(
    () => throttleOf(env, email),
    (throttle) => throttle.reset(origin),
  );
