import { DurableObject } from "cloudflare:workers";
import { type Policy, policies } from "./policies.ts";
import { Usage, type UsageState } from "./usage.ts";
import { SlidingWindow, type WindowResult, type WindowState } from "./window.ts";

/** The result of counting a request against its limit. */
export type Count = WindowResult & { policy: Policy };

/** One write a second at most, however many requests come. */
const WRITE_BEHIND_MS = 1_000;

/** How often an object looks whether it is still needed: soon after its last window, or its hour of usage, is over. */
const TIDY_MS = 120_000;
const TIDY_HOURLY_MS = 3_660_000;

/** All that is stored, as one value: it is one write. */
export type StoredCounts = {
  windows: [name: string, lengthMs: number, state: WindowState][];
  usage: UsageState | null;
};

/**
 * Sliding windows in a Durable Object: most have one. An idle object is discarded after some 10 s, so they are also stored:
 * behind the answer, which never waits for it. An object whose windows have run empty deletes what it stored.
 */
export abstract class Limiter extends DurableObject<Env> {
  /** Kept by those that have one: only what people look at is worth an hour of storage. */
  protected usage: Usage | null = null;
  readonly #windows = new Map<string, SlidingWindow>();
  #writing = false;
  #tidying = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.blockConcurrencyWhile(async () => {
      const stored = await ctx.storage.get<StoredCounts>("counts");
      for (const [name, lengthMs, state] of stored?.windows ?? []) {
        this.#windows.set(name, SlidingWindow.restore(lengthMs, state));
      }
      if (stored?.usage) this.usage = Usage.restore(stored.usage);
      this.#tidying = (await ctx.storage.getAlarm()) !== null;
    });
  }

  protected count(policy: Policy, name = "", limit: number = policies[policy].limit): Count {
    const now = Date.now();
    const taken = this.#window(policy, name).take(limit, now);
    this.usage?.add(taken.admitted, now);
    if (taken.admitted || this.usage) this.#storeSoon();
    return { policy, ...taken };
  }

  protected isFull(policy: Policy, name: string, limit: number): boolean {
    return this.#window(policy, name).isFull(limit, Date.now());
  }

  override async alarm(): Promise<void> {
    const now = Date.now();
    this.#dropEmpty(now);
    this.#tidying = this.#windows.size > 0 || !(this.usage?.isEmpty(now) ?? true);
    if (this.#tidying) await this.ctx.storage.setAlarm(this.#tidyAt(now));
    else await this.ctx.storage.deleteAll();
  }

  #window(policy: Policy, name: string): SlidingWindow {
    const known = this.#windows.get(name);
    if (known) return known;
    const window = new SlidingWindow(policies[policy].seconds * 1000);
    this.#windows.set(name, window);
    return window;
  }

  #dropEmpty(now: number): void {
    for (const [name, window] of this.#windows) if (window.isEmpty(now)) this.#windows.delete(name);
  }

  #storeSoon(): void {
    if (this.#writing) return;
    this.#writing = true;
    this.ctx.waitUntil(scheduler.wait(WRITE_BEHIND_MS).then(() => this.#store()));
  }

  #store(): void {
    this.#writing = false;
    const now = Date.now();
    this.#dropEmpty(now);
    const behind = { allowUnconfirmed: true };
    const windows = [...this.#windows].map(([name, { lengthMs, state }]): StoredCounts["windows"][number] => [
      name,
      lengthMs,
      state,
    ]);
    const counts: StoredCounts = { windows, usage: this.usage?.state ?? null };
    void this.ctx.storage.put("counts", counts, behind);
    if (this.#tidying) return;
    this.#tidying = true;
    void this.ctx.storage.setAlarm(this.#tidyAt(now), behind);
  }

  #tidyAt(now: number): number {
    const isHourly = this.usage || [...this.#windows.values()].some(({ lengthMs }) => lengthMs > TIDY_MS);
    return now + (isHourly ? TIDY_HOURLY_MS : TIDY_MS);
  }
}
