import { DurableObject } from "cloudflare:workers";
import { type Policy, policies } from "./policies.ts";
import { Usage, type UsageState } from "./usage.ts";
import { SlidingWindow, type Taken, type WindowState } from "./window.ts";

/** What a limiter says of a request that it counted, or refused to. */
export type Count = Taken & { policy: Policy };

/** One write a second at most, however many requests come. */
const WRITE_BEHIND_MS = 1_000;

/** How often an object looks whether it is still needed. A window is empty after 61 s, an hour's usage after the hour. */
const TIDY_MS = 120_000;
const TIDY_USAGE_MS = 3_660_000;

/** All that is stored, as one value: it is one write. */
export type StoredCounts = { window: WindowState; usage: UsageState | null };

/**
 * A sliding window in a Durable Object. An idle object is discarded after some 10 s, so the window is also stored:
 * behind the answer, which never waits for it. An object whose window has run empty deletes what it stored.
 */
export abstract class Limiter extends DurableObject<Env> {
  /** Kept by those that have one: only what people look at is worth an hour of storage. */
  protected usage: Usage | null = null;
  #window = new SlidingWindow();
  #writing = false;
  #tidying = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.blockConcurrencyWhile(async () => {
      const stored = await ctx.storage.get<StoredCounts>("counts");
      if (stored) this.#window = SlidingWindow.restore(stored.window);
      if (stored?.usage) this.usage = Usage.restore(stored.usage);
      this.#tidying = (await ctx.storage.getAlarm()) !== null;
    });
  }

  protected count(policy: Policy): Count {
    const now = Date.now();
    const taken = this.#window.take(policies[policy], now);
    this.usage?.add(taken.admitted, now);
    if (taken.admitted || this.usage) this.#storeSoon();
    return { policy, ...taken };
  }

  override async alarm(): Promise<void> {
    const now = Date.now();
    this.#tidying = !(this.#window.isEmpty(now) && (this.usage?.isEmpty(now) ?? true));
    if (this.#tidying) await this.ctx.storage.setAlarm(this.#tidyAt(now));
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
    const counts: StoredCounts = { window: this.#window.state, usage: this.usage?.state ?? null };
    void this.ctx.storage.put("counts", counts, behind);
    if (this.#tidying) return;
    this.#tidying = true;
    void this.ctx.storage.setAlarm(this.#tidyAt(Date.now()), behind);
  }

  #tidyAt(now: number): number {
    return now + (this.usage ? TIDY_USAGE_MS : TIDY_MS);
  }
}
