import { DurableObject } from "cloudflare:workers";
import { type Policy, policies } from "./policies.ts";
import { type Quota, SlidingWindow, type WindowState } from "./window.ts";

/** What a limiter says of a request that it counted, or refused to. */
export type Count = { admitted: boolean; policy: Policy; quota: Quota };

/** One write a second at most, however many requests come. */
const WRITE_BEHIND_MS = 1_000;

/** How often an object looks whether it is still needed. A window is empty after 61 s. */
const TIDY_MS = 120_000;

/**
 * A sliding window in a Durable Object. An idle object is discarded after some 10 s, so the window is also stored:
 * behind the answer, which never waits for it. An object whose window has run empty deletes what it stored.
 */
export abstract class Limiter extends DurableObject<Env> {
  #window = new SlidingWindow();
  #writing = false;
  #tidying = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.blockConcurrencyWhile(async () => {
      const state = await ctx.storage.get<WindowState>("window");
      if (state) this.#window = SlidingWindow.restore(state);
      this.#tidying = (await ctx.storage.getAlarm()) !== null;
    });
  }

  protected count(policy: Policy): Count {
    const { admitted, ...quota } = this.#window.take(policies[policy], Date.now());
    if (admitted) this.#storeSoon();
    return { admitted, policy, quota };
  }

  override async alarm(): Promise<void> {
    this.#tidying = !this.#window.isEmpty(Date.now());
    if (this.#tidying) await this.ctx.storage.setAlarm(Date.now() + TIDY_MS);
    else await this.ctx.storage.deleteAll();
  }

  #storeSoon(): void {
    if (this.#writing) return;
    this.#writing = true;
    this.ctx.waitUntil(scheduler.wait(WRITE_BEHIND_MS).then(() => this.#store()));
  }

  #store(): void {
    this.#writing = false;
    const behind = { allowUnconfirmed: true };
    void this.ctx.storage.put("window", this.#window.state, behind);
    if (this.#tidying) return;
    this.#tidying = true;
    void this.ctx.storage.setAlarm(Date.now() + TIDY_MS, behind);
  }
}
